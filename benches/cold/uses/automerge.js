import * as automerge from "@automerge/automerge";
import { firstChange } from "../first-use.js";

export default () => firstChange(automerge);
