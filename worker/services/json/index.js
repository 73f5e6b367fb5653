// Services that answer JSON.
export { jsonService } from "./json-service.js";
export { RequestError } from "./request-error.js";
