import { icon } from "../dom/index.js";
import { t } from "./language.js";
import { remember } from "./memory.js";

const REMEMBERED = "order-cost.theme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";

/**
 * The system's theme applies until the visitor chooses one. index.html applies a stored choice before the first paint.
 */
export function startTheme(button) {
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remember(REMEMBERED, document.documentElement.dataset.theme);
    showTheme(button);
  });
  prefersDark.addEventListener("change", () => showTheme(button));
  showTheme(button);
}

/** The button offers the other theme. */
export function showTheme(button) {
  const label = t(isDark() ? "theme.toLight" : "theme.toDark");
  button.setAttribute("aria-label", label);
  button.title = label;
  button.replaceChildren(icon(isDark() ? "sun" : "moon"));
}
