// worker/Dockerfile, as its instructions stand there.
import { readFileSync } from "node:fs";
import { DockerfileParser } from "dockerfile-ast";

/** @typedef {{ keyword: string, args: string[], list: string[], flags: Record<string, string>, values: Record<string, string> }} Instruction */

/** @returns {Map<string, { from: string, instructions: Instruction[] }>} the stages by name */
export function readDockerfile() {
  const stages = new Map();
  let stage;
  for (const each of DockerfileParser.parse(text()).getInstructions()) {
    const keyword = each.getKeyword();
    if (keyword === "FROM") stages.set(each.getBuildStage(), (stage = { from: each.getImage(), instructions: [] }));
    else stage.instructions.push({ keyword, ...partsOf(each) });
  }
  return stages;
}

const text = () => readFileSync(new URL("../../worker/Dockerfile", import.meta.url), "utf8");

function partsOf(instruction) {
  const args = instruction.getArguments().map((arg) => arg.getValue());
  const pairs = (found = []) => Object.fromEntries(found.map((each) => [each.getName(), each.getValue()]));
  return {
    args,
    list: listIn(instruction.getKeyword() === "HEALTHCHECK" ? args.slice(1) : args),
    flags: pairs(instruction.getFlags?.()),
    values: pairs(instruction.getProperties?.()),
  };
}

/** The words of the exec form; none in the shell form, whose shell would take the signals. */
function listIn(args) {
  return args[0]?.startsWith("[") ? JSON.parse(args.join(" ")) : [];
}
