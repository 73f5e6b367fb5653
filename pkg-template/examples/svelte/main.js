import { createPricer } from "order-cost";
import { mount } from "svelte";
import Basket from "./Basket.svelte";
import { host } from "./host.js";

// One pricer for the whole application.
createPricer(host).then((pricer) => {
  const basket = pricer.basket({ productList: [] }, { autoSettle: true });
  mount(Basket, { target: document.querySelector("#app"), props: { basket } });
});
