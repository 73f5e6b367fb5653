// All commands of `npm run data`.
export { Commands } from "./commands.js";
