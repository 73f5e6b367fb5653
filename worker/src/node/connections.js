import process from "node:process";
import { log } from "../log/index.js";

/** A full process counts as full until this share is free: at the brim it would say so for each connection. */
const FREE_SHARE = 0.1;

/** Half of the open files that the system allows: an order may ask a service on a connection of its own, and read files. */
function mostConnections() {
  const report = /** @type {{ userLimits?: { open_files?: { soft: number | string } } }} */ (process.report.getReport());
  const { soft } = report.userLimits?.open_files ?? {};
  return typeof soft === "number" ? Math.floor(soft / 2) : Infinity;
}

/**
 * Refuses connections before the process has too many open files: it could then not even take over one to refuse it.
 * `server.maxConnections` does not: on Node 20 the processes hand a refused connection round for ever.
 * @param {import("node:net").Server} server
 */
export function limitConnections(server) {
  const most = mostConnections();
  let count = 0;
  let isFull = false;

  function closed() {
    count -= 1;
    if (count < most * (1 - FREE_SHARE)) isFull = false;
  }

  server.prependListener("connection", (socket) => {
    count += 1;
    socket.once("close", closed);
    if (count <= most) return;
    socket.destroy();
    if (!isFull) log("error", "process", { message: `A process refuses connections: it has ${most}` });
    isFull = true;
  });
}
