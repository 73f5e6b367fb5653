// The service on Node: a catalogue from a folder or a URL, services at URLs.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startProgram, watch } from "../node/program.js";
import { filesIn, folderToRemove, remove, writeTexts } from "../node/shop.js";
import { UNHURRIED } from "../until.js";
import { Fake } from "./fakes/fake.js";
import { serveFake } from "./fakes/http.js";

const URLS = { catalogue: "CATALOGUE_URL", vouchers: "VOUCHERS_URL", nationwide: "NATIONWIDE_URL", coupons: "COUPONS_URL" };
const COPIES = fileURLToPath(new URL("copies-on-node.js", import.meta.url));

/** The fake that holds the vouchers that are kept. */
const KEPT = "kept";

/** @type {import("./platforms.js").Platform} */
export const node = {
  name: "Node",

  async start({ copies, fakes: names = [] }) {
    const [folder, decisionsFolder] = await Promise.all([folderToRemove(), folderToRemove()]);
    const fakes = new Map([KEPT, ...names].map((name) => [name, new Fake()]));
    const logs = [];
    const servers = new Map();
    const demos = new Map();
    const running = new Map();

    function once(map, key, start) {
      if (!map.has(key)) map.set(key, start());
      return map.get(key);
    }
    // One process for all: forty programs would take a minute to start.
    const child = fork(COPIES, { execArgv: ["--disable-warning=ExperimentalWarning"], silent: true });
    const program = watch(child);
    program.hear((line) => logs.push(line));
    const heard = new Map();
    child.on("message", ({ id, url }) => heard.get(id)(url));
    const told = (id, what) =>
      Promise.race([new Promise((resolve) => heard.set(id, resolve).size && child.send({ id, ...what })), program.url]);

    const startDemo = (part) => told(`demo ${part}`, { part });
    async function urlOf(part, link) {
      if (link === "demo") return once(demos, part, () => startDemo(part));
      const [name, entry] = link === KEPT ? [KEPT, "Store"] : link.split("/");
      return (await once(servers, `${name}/${entry}`, () => serveFake(fakes.get(name), entry))).url;
    }
    async function variablesOf({ vars, limit, ...parts }) {
      const variables = {};
      for (const [part, link] of Object.entries(parts)) {
        if (part === "catalogue" && link === KEPT) variables.CATALOGUE_DIR = folder;
        else if (part === "decisions" && link === KEPT) variables.DECISIONS_DIR = decisionsFolder;
        else if (link !== undefined) variables[URLS[part]] = await urlOf(part, link);
      }
      return { ...variables, ...(limit && { RATE_LIMIT: `${limit}`, TRUST_PROXY: "1" }), ...vars };
    }
    const launch = async (name) => told(name, { env: { PORT: "0", WORKERS: "1", ...UNHURRIED, ...(await variablesOf(copies[name])) } });

    return {
      logs,
      url: (name) => once(running, name, () => launch(name)),
      async keep(texts) {
        const ofVouchers = ([key]) => key.startsWith("voucher:");
        const entries = Object.entries(texts);
        fakes.get(KEPT).control({ texts: Object.fromEntries(entries.filter(ofVouchers)) });
        await writeTexts(folder, Object.fromEntries(entries.filter((entry) => !ofVouchers(entry))));
      },
      captures: () => filesIn(decisionsFolder),
      control: async (name, change) => fakes.get(name).control(change),
      state: async (name) => fakes.get(name).state,
      async stop() {
        await program.kill();
        for (const server of servers.values()) (await server).stop();
        await Promise.all([remove(folder), remove(decisionsFolder)]);
      },
    };
  },

  async refusal(vars) {
    const program = startProgram(vars);
    const { code } = await program.ended;
    if (code === 0) throw new Error("It started");
    return program.errors.join("\n");
  },

  from: (address) => ({ "x-forwarded-for": address }),

  says: {
    decisions: { DECISIONS_DIR: "captures" },
    /** The name that the other platform has for them. */
    otherDecisions: { DECISIONS: "captures" },
    catalogueFailed: () => /^\/(current|[a-z]+\/[0-9a-f]+) answered 503$/,
    vouchersFailed: { message: "The voucher service answered 503", cause: () => undefined },
    voucherCorrupt: () => "The voucher service answered no JSON",
    vouchersDown: { part: "fakes/Dead", message: "The voucher service could not be reached", cause: /^fetch failed: [A-Z_]+$/ },
    unreachable: /^fetch failed: [A-Z_]+$/,
    options: {
      ...{ VOUCHERS_URL: true, NATIONWIDE_URL: true, COUPONS_URL: true, CATALOGUE_URL: true },
      ...{ HOST: "127.0.0.1", PORT: 0, WORKERS: 1, RATE_LIMIT_SECONDS: 60, TRUST_PROXY: 0 },
    },
    readsOf: (count) => Array(count).fill(1), // a file each
  },

  http: {
    refuses: (head) =>
      /[^\r\n]{16000}/.test(head) ||
      head.match(/\r\n[^\r\n]+/g).length > 2_000 ||
      /^TRACE |\r\nexpect: something|\r\ncontent-length: \d{20}/.test(head) ||
      (/\r\ncontent-length/.test(head) && /\r\ntransfer-encoding/.test(head)),
    takes: (text) => /^transfer-encoding: gzip, chunked$|^host: a|^http:|;a=b$/.test(text),
  },

  faults: [],
};
