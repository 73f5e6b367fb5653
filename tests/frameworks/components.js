// A plugin of esbuild: compiles single-file components of Vue and Svelte as a build tool would, for a page ("client") or a server.
import { readFile } from "node:fs/promises";
import { compile } from "svelte/compiler";
import { compileScript, parse } from "vue/compiler-sfc";

export function components(generate) {
  const svelte = (text, filename) => compile(text, { filename, generate, dev: true }).js.code;
  const vue = (text) => vueCode(text, { ssr: generate === "server" });
  return {
    name: "components",
    setup({ onLoad }) {
      for (const [filter, compiled] of [
        [/\.svelte$/, svelte],
        [/\.vue$/, vue],
      ]) {
        onLoad({ filter }, async ({ path }) => ({ contents: compiled(await readFile(path, "utf8"), path) }));
      }
    },
  };
}

/** The module of a Vue component. */
export function vueCode(text, { ssr }) {
  const { descriptor } = parse(text, { filename: "Basket.vue" });
  const templateOptions = { ssr, ssrCssVars: [] };
  return compileScript(descriptor, { id: "basket", inlineTemplate: true, templateOptions }).content;
}
