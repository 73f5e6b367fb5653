// Bodies in tiny chunks, through the shadow Worker: memory stays small, and plain orders go on beside them.
import { after, before, test } from "node:test";
import { assertHarmless } from "../../hostile/chunks.js";
import { childNamed } from "../../hostile/resident.js";
import { startShop } from "../shop.js";

let shop;
before(
  async () =>
    (shop = await startShop({ compared: { SHADOW_SHARE: "1", SERVE: "calculatecost2=new,calculatecost3=new,calculatecost4=new" } })),
);
after(() => shop?.stop());

test("12 connections of a million chunks of a byte", async (context) => {
  await assertHarmless(context, shop.urls.compared, await childNamed("workerd"));
});
