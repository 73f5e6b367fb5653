// Writes the work for benches/core: one file per set of orders, the zones, and the points to look up.
//   node benches/orders/write-work.mjs <folder>
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { points, SETS, work, zonesText } from "./work.mjs";

const folder = process.argv[2];
const decoder = new TextDecoder();

mkdirSync(folder, { recursive: true });
const write = (name, value) => writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));

writeFileSync(join(folder, "zones.json"), zonesText());
write("points", points(1_000));
for (const { name, lines, coupons } of SETS) {
  const items = work(lines, coupons);
  write(
    name,
    items.map(({ body, answers }) => ({ body: decoder.decode(body), ...answers })),
  );
}
