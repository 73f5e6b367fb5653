import init, * as cedar from "@cedar-policy/cedar-wasm/web";
import { firstAuthorisation } from "../first-use.js";

export default async () => {
  await init();
  firstAuthorisation(cedar);
};
