// The fakes as a Worker. A test sends to it what it changes, and reads what happened.
import { WorkerEntrypoint } from "cloudflare:workers";
import { Fake, silence } from "./fake.js";

const fake = new Fake();

export default {
  async fetch(request) {
    if (new URL(request.url).hostname === "service") return fake.answer(request);
    if (request.method === "PUT") fake.control(await request.json());
    return Response.json(fake.state);
  },
};

/** KV has two ways to read: one key, or many. */
const inForm = (keys, texts) => (Array.isArray(keys) ? new Map(keys.map((key, index) => [key, texts[index]])) : texts[0]);

export class Store extends WorkerEntrypoint {
  async get(keys) {
    return inForm(keys, await fake.read(keys));
  }
}

export class Failing extends WorkerEntrypoint {
  async get(keys) {
    if (keys.length > 100 && Array.isArray(keys)) throw new Error("KV GET_BULK failed: 400 You can request a maximum of 100 keys");
    return inForm(keys, await fake.readFailing(keys));
  }
}

/** A service that cannot be reached, and one that never answers. */
export class Dead extends WorkerEntrypoint {
  fetch() {
    throw new Error("connect ECONNREFUSED 10.1.2.3:8080");
  }
}
export class Silent extends WorkerEntrypoint {
  async fetch() {
    await silence();
  }
}

/** A rate limiter that fails. */
export class Limiter extends WorkerEntrypoint {
  limit() {
    throw new Error("rate limiter: internal error");
  }
}
