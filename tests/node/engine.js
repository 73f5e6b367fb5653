// worker/compose.yaml on a container engine, where there is one.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("../../worker/", import.meta.url));

export const hasEngine = () => ["info", "compose version"].every((command) => spawnSync("docker", command.split(" ")).status === 0);

/** @param {number} port of the page */
export function startShopOnEngine(port) {
  const compose = (...args) => {
    const { status, stderr } = spawnSync("docker", ["compose", "--project-name", `order-cost-test-${port}`, ...args], {
      cwd: WORKER,
      encoding: "utf8",
      env: { ...process.env, DEMO_PORT: String(port) },
    });
    if (status !== 0) throw new Error(`docker compose ${args.join(" ")}: ${stderr}`);
  };
  const stop = () => compose("down", "--volumes");
  try {
    compose("up", "--build", "--wait");
  } catch (error) {
    stop();
    throw error;
  }
  return { page: `http://127.0.0.1:${port}`, stop };
}
