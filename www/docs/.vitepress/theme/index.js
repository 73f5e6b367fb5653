// The default theme with the shop's colours and its letters, which have Latin and Thai of one hand.
import NotFound from "vitepress/dist/client/theme-default/NotFound.vue";
import Theme from "vitepress/theme-without-fonts";
import { defineAsyncComponent, h, onMounted } from "vue";
import PhonePages from "./PhonePages.vue";
import "./colours.css";
import "./home.css";
import "./phone.css";
import "./tabs.css";

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, {
      "nav-screen-content-after": () => h(PhonePages),
      "not-found": () => h("main", {}, h(NotFound)), // the theme's own is in no landmark
    }),
  enhanceApp({ app }) {
    app.component(
      "Playground",
      defineAsyncComponent(() => import("./Playground.vue")),
    );
  },
  /** ../late.mjs waits for it. */
  setup: () => onMounted(() => dispatchEvent(new Event("hydrated"))),
};
