// A page of text is whole without its code. A phone that only reads it is spared the work: the code comes with the first sign of
// a visitor. The playground is nothing without its code, and the page for wrong addresses is made by it.
import { notFound } from "./menu.mjs";

/** What a visitor does first. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin", "scroll", "click"];

/**
 * The HTML of a page, with its code loaded late.
 * @param {string} html as VitePress writes it
 */
export const withLateCode = (html) =>
  html
    .replace(
      /<script type="module" src="([^"]+)"><\/script>/,
      (_, code) => `<script type="module">(${awaitVisitor})(() => import("${code}"),${JSON.stringify(SIGNS)})</script>`,
    )
    .replaceAll('rel="modulepreload"', 'rel="prefetch"')
    // The theme sets this by its code: the bar would jump at the first sign of a visitor.
    .replace('class="VPNavBar"', `class="VPNavBar top${html.includes('class="VPNavBarTitle has-sidebar"') ? " has-sidebar" : ""}"`);

/** The page for wrong addresses, which VitePress writes empty, as it is without scripts. */
export const withoutCode = (html) =>
  html.replace(
    '<div id="app"></div>',
    (app) =>
      `${app}<noscript><h1>${notFound.title}</h1><p>${notFound.quote}</p><p><a href="/docs/">${notFound.linkText}</a></p></noscript>`,
  );

/** Runs in the page, by its text alone. What was pressed before the code was there is pressed again when it is. */
function awaitVisitor(load, signs) {
  let pressed;
  const remember = (event) => {
    pressed = event;
    if (event.key === "k" && (event.ctrlKey || event.metaKey)) event.preventDefault(); // it searches here
  };
  for (const sign of signs) addEventListener(sign, load, { once: true, passive: true });
  for (const press of ["click", "keydown"]) addEventListener(press, remember);
  addEventListener(
    "hydrated",
    () => {
      for (const press of ["click", "keydown"]) removeEventListener(press, remember);
      if (pressed?.type === "click") pressed.target.closest("button")?.click();
      else if (pressed) pressed.target.dispatchEvent(new KeyboardEvent("keydown", pressed));
    },
    { once: true },
  );
}
