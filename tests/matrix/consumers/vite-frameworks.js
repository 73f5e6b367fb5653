// Frameworks on Vite: a page in the browser, and an order priced on the framework's own server. All at night: a change has Vite
// itself, and the examples of SvelteKit and Next.js.
import process from "node:process";
import { warmUp } from "../browser.js";
import { handled, only, pages, shown } from "./ways.js";

export const viteFrameworks = {
  "react-router": viteBased("React Router", "react-router", {
    production: built("react-router", "react-router-serve", ["build/server/index.js"]),
    development: developed("react-router"),
  }),
  nuxt: viteBased("Nuxt", "nuxt", {
    production: built("nuxt", process.execPath, [".output/server/index.mjs"]),
    development: developed("nuxt"),
  }),
  sveltekit: viteBased("SvelteKit", "@sveltejs/kit", {
    production: built("vite", process.execPath, ["build/index.js"]),
    development: developed("vite"),
  }),
  astro: viteBased("Astro", "astro", {
    production: built("astro", process.execPath, ["dist/server/entry.mjs"]),
    development: developed("astro"),
  }),
};

/** A framework on Vite, after its build and with its development server. */
function viteBased(name, packageName, { production, development }) {
  const row = (what, entries) => ({ name: `${name}, ${what}`, package: packageName, entries, nightly: true });
  return [
    row("page, production", pages(shown(production))),
    row("server, production", only(handled(production))),
    row("page, dev server", pages(shown(development, warmUp))),
    row("server, dev server", only(handled(development))),
  ];
}

/** Builds with the framework's program, then serves with another one. */
function built(builder, server, args) {
  return async (workspace) => {
    await workspace.run(builder, ["build"]);
    return workspace.serve(server, () => args);
  };
}

function developed(program) {
  return (workspace) => workspace.serve(program, (port) => ["dev", "--host", "127.0.0.1", "--port", String(port)]);
}
