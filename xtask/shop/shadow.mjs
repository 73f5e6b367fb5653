// Serves the shadow Worker in front of the pricing Worker and of the double of the old service, in one workerd, on the stores
// of `wrangler dev`. environment.mjs says which variables come from the environment.
//   node xtask/shop/shadow.mjs <port>: the shadow Worker's; the other two have the next ones
import { rm } from "node:fs/promises";
import { startMigration } from "../../tests/migration/migration.js";
import { LOCAL_STORES } from "../../worker/migration/index.js";
import { readEnvironment } from "./environment.mjs";

const port = Number(process.argv[2]);
const { shadow, pricing, differences } = environment();

// A report would mix the captures of this run with those of others, which had other variables.
await rm(LOCAL_STORES.r2Persist, { recursive: true, force: true });
const migration = await startMigration({
  shadows: { shadow: { SHADOW_SHARE: "1", ...shadow } }, // here every order is compared
  pricing: { DATA_MAX_AGE_SECONDS: "0", ...pricing }, // as in `npm run dev`
  differences,
  ports: { shadow: port, new: port + 1, legacy: port + 2 },
  shared: {
    ...LOCAL_STORES,
    handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.pipe(process.stdout)),
  },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => migration.stop());

/** A mistake of the user prints one line, without a stack. */
function environment() {
  try {
    return readEnvironment(process.env);
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    return process.exit(1);
  }
}
