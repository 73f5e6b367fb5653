// What the commands say of themselves.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { block, code, table } from "./markdown.mjs";

/** The scripts of worker/ that take arguments. */
const WITH_HELP = ["start", "data", "preflight", "receipt-key", "captures", "collect"];

export async function commandLine({ root, pkg }) {
  const worker = join(root, "worker");
  const { scripts } = JSON.parse(readFileSync(join(worker, "package.json"), "utf8"));
  const programs = [
    { name: "order-cost", args: [join(pkg, "cli.js")], cwd: pkg },
    ...WITH_HELP.map((name) => ({
      name: `npm run ${name}`,
      args: scripts[name].replace(/^(exec )?node /, "").split(" "),
      cwd: worker,
    })),
  ];
  const parts = await Promise.all(programs.map(helpOf));
  const others = Object.entries(scripts).filter(([name]) => !WITH_HELP.includes(name) && !name.startsWith("pre"));
  return [
    ...parts.flat(),
    "## Other scripts of `worker/`",
    table(
      ["Script", "What it runs"],
      others.map(([name, run]) => [code(`npm run ${name}`), code(run)]),
    ),
  ].join("\n\n");
}

/** The help of a program and of its commands, each below a heading. */
async function helpOf({ name, args, cwd }) {
  const own = await help(args, cwd);
  const commands = Array.from(
    (own.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "").matchAll(/^ {2}([a-z][\w-]*)/gm),
    ([, command]) => command,
  );
  const parts = await Promise.all(
    commands.map(async (command) => [`### ${code(`${name} ${command}`)}`, block(await help([...args, command], cwd))]),
  );
  return [`## ${code(name)}`, block(own), ...parts.flat()];
}

function help(args, cwd) {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, COLUMNS: "100", npm_lifecycle_event: undefined };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args, "--help"], { cwd, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(" ")} --help: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
