import { byId, element, whenChanged } from "../dom/index.js";
import { currentLanguage, nameOf, t } from "../page/index.js";

/**
 * The customer and the branch of the order.
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 */
export function createVisitorView({ branches, vouchers }, basket) {
  const branch = byId("branch", HTMLSelectElement);
  const customer = byId("customer", HTMLSelectElement);
  const owners = [...new Set(Object.values(vouchers).map(({ ownerId }) => ownerId))].filter(Boolean);

  branch.addEventListener("change", () => {
    const { branchId, brcode, lat, lon } = branches[branch.selectedIndex];
    const { order } = basket;
    // The old address lies outside the new branch's zones: both change in one edit.
    basket.replace({ ...order, branchId, shipping: { ...order.shipping, brcode, shippingLat: lat, shippingLon: lon } });
  });
  customer.addEventListener("change", () => basket.setOwner(customer.value));

  const render = whenChanged(() => [currentLanguage(), basket.order.branchId, basket.order.ownerId], draw);

  function draw() {
    const { branchId, ownerId = "" } = basket.order;
    fill(
      branch,
      branches.map((one) => [one.branchId, nameOf(one)]),
      branchId,
    );
    fill(
      customer,
      ["", ...owners].map((owner) => [owner, t(`customer.${owner}`)]),
      ownerId,
    );
  }

  return { render };
}

function fill(select, options, value) {
  select.replaceChildren(...options.map(([option, text]) => element("option", { value: option, selected: option === value }, text)));
}
