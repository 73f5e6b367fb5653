// Who may send orders, and how many.
export { createAccess, withCors, withCorsNow } from "./access.js";
