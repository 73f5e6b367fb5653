import rapier from "@dimforge/rapier2d-compat";
import { firstStep } from "../first-use.js";

export default async () => {
  await rapier.init();
  firstStep(rapier);
};
