// What Node gives the service.
export { captureFolder } from "./capture-folder.js";
export { onNode } from "./platform.js";
export { VARIABLES } from "./variables.js";
