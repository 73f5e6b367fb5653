import { createPricer } from "order-cost";
import { createApp } from "vue";
import Basket from "./Basket.vue";
import { host } from "./host.js";

// One pricer for the whole application.
createPricer(host).then((pricer) => {
  const basket = pricer.basket({ productList: [] }, { autoSettle: true });
  createApp(Basket, { basket }).mount("#app");
});
