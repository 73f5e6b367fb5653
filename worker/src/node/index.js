// The service on Node.
export { settingsOf, variablesIn } from "./settings.js";
