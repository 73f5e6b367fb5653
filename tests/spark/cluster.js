// Programs on Spark, on this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const COMMAND = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
export const PROGRAM = fileURLToPath(new URL("../../examples/spark/impact.py", import.meta.url));

const { SPARK_SUBMIT = "", SPARK_PYTHON = "", JAVA = "" } = process.env;
const MEGABYTES = 1024;
/** Two executors of one core, which are processes of their own. */
const CLUSTER = `local-cluster[2,1,${MEGABYTES}]`;
/** One process. */
export const LOCAL = "local[1]";
/** A machine's own name may lead to an address that nobody answers. */
const HERE = { SPARK_LOCAL_IP: "127.0.0.1", SPARK_LOCAL_HOSTNAME: "localhost" };
const SETTINGS = {
  "spark.driver.bindAddress": "127.0.0.1",
  "spark.driver.host": "127.0.0.1",
  "spark.ui.enabled": "false",
  "spark.executor.memory": `${MEGABYTES}m`,
};

/**
 * Runs a program of Python, and returns what it has written: `log` is Spark's.
 * @param {string} folder where it runs
 * @param {string[]} args the program, and what it is told
 */
export async function submit(folder, args, master = CLUSTER) {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["--conf", `${name}=${value}`]);
  const env = { ...process.env, ...HERE, PYSPARK_PYTHON: SPARK_PYTHON, JAVA_HOME: dirname(dirname(realpathSync(JAVA))) };
  const spark = spawn(SPARK_SUBMIT, ["--master", master, ...settings, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, log, [code]] = await Promise.all([text(spark.stdout), text(spark.stderr), once(spark, "close")]);
  return { code, stdout, log };
}
