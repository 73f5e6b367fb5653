// `order-cost price`
import { LIMITS } from "../order-fields.js";
import { Failure, openInput, readText, recordBlocks } from "./files/index.js";
import { createPricing, pricerOptions } from "./pricing/index.js";
import { progress, refuseOverwriting, withOutput } from "./screen/index.js";

/** How many faults stderr shows. The JSON output has every fault on its line. */
const MOST_FAULTS = 20;

/** Prices the orders of a file. Returns the exit code. */
export async function price(file, options, terminal) {
  if (file === undefined && terminal.stdin.isTTY) {
    throw new Failure("no orders: name a file, or pipe them to standard input (order-cost price --help says more)");
  }
  const name = file ?? "-";
  await refuseOverwriting(options.out, [name, options.facts, options.zones]);
  const setup = await readSetup(options, terminal);
  const priceBlock = await createPricing(setup);
  const input = await openInput(name, terminal);
  const isShown = options.out === undefined;
  const work = async (output) => {
    const bar = progress(input, terminal, { isQuiet: isShown && terminal.stdout.isTTY });
    const count = { orders: 0, failed: 0 };
    try {
      for await (const records of recordBlocks(input, { mostBytes: options.maxBodyBytes ?? LIMITS.maxBodyBytes })) {
        const { text, faults } = await priceBlock(records);
        await output.write(text);
        if (count.orders === 0) tellOfArray(records[0], bar);
        bar.update((count.orders += records.length));
        for (const fault of faults) if ((count.failed += 1) <= MOST_FAULTS) bar.print(fault);
      }
    } finally {
      bar.stop();
    }
    if (count.orders === 0) throw new Failure(`${input.name}: no orders in it`);
    return report(count, terminal);
  };
  if (!isShown) return withOutput(options.out, work);
  return work(setup.format === "json" ? { write: (text) => terminal.writeJson(text) } : terminal);
}

/**
 * An array of orders is priced as a file with an order on each line would be.
 * @param {import("./files/records.js").InputRecord} first
 * @param {ReturnType<typeof progress>} bar
 */
function tellOfArray({ name, items }, bar) {
  if (items !== undefined) bar.print(`${name}: a JSON array of ${items} ${items === 1 ? "order" : "orders"}, priced one by one`);
}

async function readSetup({ facts, zones, explain = false, out, ...options }, terminal) {
  return {
    factsName: facts,
    factsText: await readText(facts),
    zonesName: zones,
    zonesText: zones === undefined ? undefined : await readText(zones),
    explain,
    format: options.format ?? (explain ? "table" : "json"),
    color: out === undefined && terminal.color,
    options: pricerOptions(options),
  };
}

function report({ orders, failed }, terminal) {
  if (failed === 0) return 0;
  const more = failed > MOST_FAULTS ? `, of which ${MOST_FAULTS} are shown` : "";
  if (orders > 1) terminal.say(`order-cost: ${failed} of ${orders} orders failed${more}`);
  return 1;
}
