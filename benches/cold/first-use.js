// The smallest real use of each entrant. Each throws unless its result is right. They run in Node, workerd and pages.
import { readyHost } from "../orders/index.js";

/**
 * @param {typeof import("order-cost/calculate").createPricer} createPricer
 * @param {Awaited<ReturnType<typeof import("./given.js").given>>} given
 */
export async function firstPrice(createPricer, { order, answers, deliveryZones }) {
  const pricer = await createPricer(readyHost, { deliveryZones });
  const { productList, summary } = await pricer.calculate(order, { context: answers });
  ensure(productList.length === order.productList.length && summary.grandTotal > 0);
}

/** A database in memory, and one query. */
export function firstQuery({ oo1 }) {
  const database = new oo1.DB(":memory:");
  ensure(database.selectValue("SELECT 20 + 22") === 42);
}

/** A world with a ball that falls for one step. */
export function firstStep({ World, RigidBodyDesc, ColliderDesc }) {
  const world = new World({ x: 0, y: -9.81 });
  const ball = world.createRigidBody(RigidBodyDesc.dynamic());
  world.createCollider(ColliderDesc.ball(0.5), ball);
  world.step();
  ensure(ball.translation().y < 0);
}

/** A document with one change. */
export function firstChange({ init, change }) {
  const document = change(init(), (draft) => {
    draft.total = 42;
  });
  ensure(document.total === 42);
}

/** One policy, and one question. */
export function firstAuthorisation({ isAuthorized }) {
  const { response } = isAuthorized({
    principal: { type: "User", id: "malee" },
    action: { type: "Action", id: "view" },
    resource: { type: "Order", id: "1" },
    context: {},
    policies: { staticPolicies: 'permit(principal == User::"malee", action, resource);' },
    entities: [],
  });
  ensure(response?.decision === "allow");
}

function ensure(isRight) {
  if (!isRight) throw new Error("The first result is wrong");
}
