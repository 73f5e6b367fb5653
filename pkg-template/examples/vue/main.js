import { createApp } from "vue";
import { createPricer } from "order-cost";
import Shop from "./Shop.vue";
import { host } from "./host.js";

// One pricer for the whole application.
createPricer(host).then((pricer) => createApp(Shop, { pricer }).mount("#app"));
