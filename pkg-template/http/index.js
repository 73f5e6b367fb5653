// Requests and responses of Node.
export { DeclaredBody, readIncoming } from "./incoming.js";
