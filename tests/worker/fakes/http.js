// The fakes over HTTP: services, and stores as a catalogue's files and as a voucher service.
import http from "node:http";
import { createRequire } from "node:module";
import { isNamedByContent } from "../../../pkg/catalogue/keys.js";
import { voucherKey } from "../../../worker/src/look-ups/voucher-keys.js";
import { listen } from "../../ports.js";
import { silence } from "./fake.js";

const { getRequestListener } = createRequire(new URL("../../../worker/package.json", import.meta.url))("@hono/node-server");

/** How each of a fake's entries answers a request. One that throws hangs up. */
const ENTRIES = {
  Service: (fake) => (request) => fake.answer(request),
  Store: (fake) => storeOf((keys) => fake.read(keys)),
  Failing: (fake) => storeOf((keys) => fake.readFailing(keys)),
  Dead: () => async () => {
    throw new Error("dead");
  },
  Silent: () => silence,
};

/**
 * @param {import("./fake.js").Fake} fake
 * @param {keyof typeof ENTRIES} entry
 */
export async function serveFake(fake, entry) {
  const answer = ENTRIES[entry](fake);
  const server = http.createServer(getRequestListener((request, { incoming }) => answer(request).catch(() => hangUp(incoming))));
  server.keepAliveTimeout = 0; // else it closes a connection on which the service, on a busy machine, is just asking
  return {
    url: await listen(server),
    stop() {
      server.close().closeAllConnections();
    },
  };
}

function hangUp({ socket }) {
  socket.destroy();
  return new Response();
}

const storeOf = (read) => async (request) => {
  const name = new URL(request.url).pathname.slice(1).replace("/", ":");
  if (name === "") return request.method === "POST" ? answerTo(read, await request.json()) : new Response();
  try {
    const [text] = await read(isNamedByContent(name) ? [name] : name);
    return new Response(text, { status: text === null ? 404 : 200 });
  } catch (error) {
    return new Response(error.message, { status: 503 });
  }
};

/** The answer to `{ voucherIds }`. */
async function answerTo(read, { voucherIds }) {
  try {
    const texts = await read(voucherIds.map((id) => voucherKey(id)));
    return new Response(`[${texts.map((text) => text ?? "null").join(",")}]`);
  } catch (error) {
    return new Response(error.message, { status: 503 });
  }
}
