import { drawn } from "./dom.js";

/** SVG paths on a 24 by 24 grid. */
const PATHS = {
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  remove: "M6 6l12 12M18 6L6 18",
  up: "M12 19V6M6 11l6-6 6 6",
  down: "M12 5v13M6 13l6 6 6-6",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20 20l-4.9-4.9",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M19.1 4.9l-1.8 1.8M6.7 17.3l-1.8 1.8",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  share: "M12 15V3.5M7.5 8L12 3.5 16.5 8M5 13v7h14v-7",
  check: "M5 12.5l4.5 4.5L19 7.5",
  told: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8v.1",
  warning: "M12 4L2.5 20h19L12 4zM12 10v4.5M12 17v.5",
  waiting: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2",
  edge: "M7 18a4.5 4.5 0 0 1-.6-9A6 6 0 0 1 18 9.6 4.2 4.2 0 0 1 17.5 18z",
  code: "M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5",
  store: "M4 10v10h16V10M3 10l2-6h14l2 6zM10 20v-6h4v6",
  truck: "M2.5 6H14v11H2.5zM14 10h4l3.5 3.5V17H14zM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) =>
  drawn("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, drawn("path", { d: PATHS[name] }));
