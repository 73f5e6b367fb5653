// The platforms that the service runs on. A suite that holds on each is written once, with `onEachPlatform`.
import { describe } from "node:test";
import { node } from "./on-node.js";
import { workerd } from "./on-workerd.js";

/**
 * @typedef {object} Platform
 * @property {string} name
 * @property {(setting: Setting) => Promise<Service>} start
 * @property {(variables: Record<string, string>) => Promise<string>} refusal why the service does not start with these
 * @property {(address: string) => Record<string, string>} from the headers by which a request comes from an address
 * @property {object} says what it says in words of its own
 * @property {object} http how its parser differs (abuse.test.js)
 * @property {object[]} faults those that it alone has (faults.test.js)
 *
 * @typedef {object} Setting
 * @property {Record<string, Copy>} copies
 * @property {string[]} [fakes] their names; each behaves as the test says (fakes/fake.js)
 *
 * @typedef {object} Copy A copy of the service. A part is `<fake>/<entry>`, or "kept" for the platform's own store,
 *   or "demo" for the service of worker/services, or absent.
 * @property {Record<string, string>} [vars]
 * @property {string} [catalogue]
 * @property {string} [vouchers]
 * @property {string} [nationwide]
 * @property {string} [coupons]
 * @property {string} [decisions] "kept"
 * @property {number} [limit] orders a minute
 *
 * @typedef {object} Service
 * @property {string[]} logs the lines of all copies and of the services beside them
 * @property {(copy: string) => Promise<string>} url where it listens. A copy may start only then
 * @property {(texts: Record<string, string>) => Promise<void>} keep writes texts by key into the platform's own stores
 * @property {() => Promise<Map<string, string>>} captures what the copies have captured: the texts by name
 * @property {(fake: string, change: object) => Promise<void>} control
 * @property {(fake: string) => Promise<import("./fakes/fake.js").Fake["state"]>} state
 * @property {() => Promise<void>} stop
 */

/** @type {Platform[]} */
export const PLATFORMS = [workerd, node];

/**
 * Runs a suite on all platforms at once: they share nothing, and mostly wait. The tests of one platform run in turn.
 * @param {(platform: Platform) => void} suite
 * @param {{ isBusy?: boolean, platforms?: Platform[] }} [options] `isBusy`: it does not wait, so one platform after the other
 */
export function onEachPlatform(suite, { isBusy = false, platforms = PLATFORMS } = {}) {
  describe("on each platform", { concurrency: isBusy ? 1 : platforms.length }, () => {
    for (const platform of platforms) describe(platform.name, { concurrency: 1 }, () => suite(platform));
  });
}
