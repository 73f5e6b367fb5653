// The service, whatever runs it.
export { createService } from "./service.js";
