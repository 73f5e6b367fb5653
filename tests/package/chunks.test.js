// Bodies in tiny chunks, against Node: small memory, and plain orders go on beside them.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertHarmless } from "../hostile/chunks.js";

test("12 connections of a million chunks of a byte, with a heap of 512 MB", async (context) => {
  const server = fork(fileURLToPath(new URL("../hostile/node.js", import.meta.url)), { execArgv: ["--max-old-space-size=512"] });
  const died = once(server, "exit").then(([code, signal]) => assert.fail(`Node has died: ${code ?? signal}`));
  died.catch(() => {});
  try {
    const [port] = await Promise.race([once(server, "message"), died]);
    const { statuses } = await Promise.race([assertHarmless(context, `http://127.0.0.1:${port}`, server.pid), died]);
    assert.deepEqual(statuses, Array(12).fill(200));
  } finally {
    server.kill();
  }
});
