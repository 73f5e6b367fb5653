import cedar from "@cedar-policy/cedar-wasm/nodejs";
import { firstAuthorisation } from "../first-use.js";

export default () => firstAuthorisation(cedar);
