import { only, post, script } from "./ways.js";

export const runtimes = {
  node: [...node("20"), ...node("22"), ...node("24", { nightly: true })],
  deno: [{ name: "Deno", package: "deno", entries: script("deno", ["run", "--allow-read", "main.mjs"]) }],
  bun: [
    { name: "Bun, import", package: "bun", entries: script("bun", ["main.mjs"]) },
    { name: "Bun, require", package: "bun", entries: script("bun", ["main.cjs"]) },
  ],
  wrangler: [{ name: "workerd, wrangler", package: "wrangler", entries: only(inWorkerd) }],
};

function node(release, marks) {
  const name = `node-${release}`;
  const program = `${name}/bin/node`; // a path, because packages of the same name share one place in .bin
  return [
    { name: `Node.js ${release}, import`, package: name, entries: script(program, ["main.mjs"]), ...marks },
    { name: `Node.js ${release}, require`, package: name, entries: script(program, ["main.cjs"]), ...marks },
  ];
}

async function inWorkerd(workspace) {
  const options = ["dev", "--ip", "127.0.0.1", "--inspector-port", "0", "--port"];
  const { url, stop } = await workspace.serve("wrangler", (port) => [...options, String(port)]);
  try {
    return await post(`${url}calculatecost4`);
  } finally {
    await stop();
  }
}
