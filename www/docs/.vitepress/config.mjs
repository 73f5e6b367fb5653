// The site of documents. `cargo xtask site` writes its source to target/docs/source (make/main.mjs) and builds it from there.
import path from "node:path";
import GithubSlugger from "github-slugger";
import { defineConfig } from "vitepress";
import { DOCUMENTS, REPOSITORY, ROOT } from "../make/index.mjs";
import { withLateCode, withoutCode } from "./late.mjs";
import { english, thai } from "./menu.mjs";
import { aliases, orderSchemas } from "./package.mjs";
import { words } from "./words.mjs";

/** The letters of every page: with them on the way at once, no line moves when they arrive. */
const FIRST_FONT = /plex-thai-latin-(400|600)\./;

/** A guide says more than a type of the same name. It is written into the pages: it may use nothing from here. */
const boostDocument = (id) => (id.includes("/reference/package/") ? 0.3 : 1);

/** A line does not end inside the hyphens of `--env`, neither in a sentence nor in a command. */
function withWholeOptions({ renderer: { rules } }) {
  const { code_inline: inline, fence } = rules;
  const whole = (html) => html.replaceAll(/(?<=[> ])--?[\w-]*/g, '<span class="option">$&</span>');
  rules.code_inline = (...given) => whole(inline(...given));
  rules.fence = (tokens, at, ...more) => (tokens[at].info === "sh" ? whole : String)(fence(tokens, at, ...more));
}

export default defineConfig({
  base: "/docs/",
  srcDir: path.join(ROOT, "target/docs/source"),
  srcExclude: ["public/**"],
  outDir: path.join(ROOT, "target/docs/built"),
  cacheDir: path.join(ROOT, "target/docs/cache"),
  title: "order-cost",
  description: "Prices an order exactly: rows, delivery fees, coupons, vouchers and totals.",
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "/docs/icon.svg", type: "image/svg+xml" }]],
  transformHead: ({ assets }) =>
    assets
      .filter((file) => FIRST_FONT.test(file))
      .map((href) => ["link", { rel: "preload", href, as: "font", type: "font/woff2", crossorigin: "" }]),
  transformHtml: (html, _, { page }) => (page === "404.md" ? withoutCode(html) : page === "play.md" ? html : withLateCode(html)),
  // The anchors that the repository's host makes, so that one link works in both places.
  markdown: {
    anchor: { slugify: (title) => new GithubSlugger().slug(title) },
    config: withWholeOptions,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    // Most pages have no twin in the other language: the choice leads to its first page.
    i18nRouting: false,
    outline: [2, 3],
    socialLinks: REPOSITORY ? [{ icon: "github", link: REPOSITORY }] : [],
    search: {
      provider: "local",
      options: { miniSearch: { options: { tokenize: words }, searchOptions: { tokenize: words, boostDocument } }, ...thai.search },
    },
  },
  locales: {
    root: { label: "English", lang: "en", themeConfig: english(DOCUMENTS) },
    th: { label: "ไทย", lang: "th", themeConfig: thai.theme },
  },
  vite: { server: { fs: { allow: [ROOT] } }, resolve: { alias: aliases }, plugins: [orderSchemas] },
});
