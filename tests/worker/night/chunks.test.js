// Bodies in tiny chunks, in workerd: memory stays small, and plain orders go on beside them.
import { after, before, test } from "node:test";
import { assertHarmless } from "../../hostile/chunks.js";
import { childNamed } from "../../hostile/resident.js";
import { startFailing } from "../failing.js";
import { workerd as onWorkerd } from "../on-workerd.js";

let workerd;
before(async () => (workerd = await startFailing(onWorkerd)));
after(() => workerd?.stop());

test("12 connections of a million chunks of a byte", async (context) => {
  await assertHarmless(context, await workerd.url("order-cost"), await childNamed("workerd"));
});
