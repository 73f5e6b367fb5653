// Requests and responses of Node.
export { readIncoming } from "./incoming.js";
