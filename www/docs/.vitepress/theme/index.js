// The default theme with the shop's colours and its letters, which have Latin and Thai of one hand.
import { defineAsyncComponent, onMounted } from "vue";
import Theme from "vitepress/theme-without-fonts";
import "./colours.css";
import "./home.css";

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component(
      "Playground",
      defineAsyncComponent(() => import("./Playground.vue")),
    );
  },
  /** ../late.mjs waits for it. */
  setup: () => onMounted(() => dispatchEvent(new Event("hydrated"))),
};
