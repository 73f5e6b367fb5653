// Ports for programs that cannot choose one and say which. They lie below those that the system gives to whatever
// connects or asks for any. A test file listens on the first of its ports until it ends, so that no other one has the rest.
import { once } from "node:events";
import net from "node:net";

const [FIRST, END, BLOCK] = [20_000, 32_000, 8];

/** The first of some ports in a row, at most seven, on which nobody listens and which nobody else is given. */
export async function freePorts(count = 1) {
  for (let held = FIRST; held < END; held += BLOCK) {
    if (!(await listenOn(held))) continue;
    const servers = await Promise.all(Array.from({ length: count }, (_, more) => listenOn(held + 1 + more)));
    await Promise.all(servers.map((server) => server && once(server.close(), "close")));
    if (servers.every(Boolean)) return held + 1;
  }
  throw new Error(`No ${count} ports are free from ${FIRST} to ${END}`);
}

/**
 * Lets a server listen on any port. Returns its address.
 * @param {net.Server} server
 */
export async function listen(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

/** A server on a port; undefined if the port is taken. */
async function listenOn(port) {
  const server = net.createServer().listen(port, "127.0.0.1").unref();
  return once(server, "listening").then(
    () => server,
    () => undefined,
  );
}
