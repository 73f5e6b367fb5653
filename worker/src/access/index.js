// Who may send orders, and how many.
export { createAccess, withCors } from "./access.js";
