// The service's variables, read and checked.
export { capturesPerDay, MOST_CAPTURES, NO_REDACT_KEY, redactKey } from "./capture-variables.js";
export { checkVariables, defaults, readOptions, shownOptions, warnings } from "./options.js";
export { byRoute, flag, integer, isSet, ROUTES, readVariables, refuseMisspelt, share, url } from "./variables.js";
