// Runs node.js as a server in a process of its own.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Calls `attack(url, pid)` for a server with a heap of 512 MB, and fails if the server dies. */
export async function withNodeServer(attack) {
  const server = fork(fileURLToPath(new URL("node.js", import.meta.url)), { execArgv: ["--max-old-space-size=512"] });
  const died = once(server, "exit").then(([code, signal]) => assert.fail(`Node has died: ${code ?? signal}`));
  died.catch(() => {});
  try {
    const [port] = await Promise.race([once(server, "message"), died]);
    return await Promise.race([attack(`http://127.0.0.1:${port}`, server.pid), died]);
  } finally {
    server.kill();
  }
}
