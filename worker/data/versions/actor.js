// Who runs a command, and what people write into notes.
import { execFile } from "node:child_process";
import { hostname, userInfo } from "node:os";
import { promisify } from "node:util";

const MOST_CHARACTERS = 500;

/** Text for one line of a terminal. Signs that turn the direction of writing could make a line say something else. */
export function plain(text) {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  return Array.from(line).slice(0, MOST_CHARACTERS).join("");
}

/** Who it is: ORDER_COST_ACTOR, else git's user, else this machine's. */
export async function actor(environment = process.env) {
  return plain(environment.ORDER_COST_ACTOR ?? "") || plain(await gitUser(environment)) || plain(machineUser());
}

async function gitUser(env) {
  const [name, email] = await Promise.all(["user.name", "user.email"].map((setting) => gitSetting(setting, env)));
  return name && email ? `${name} <${email}>` : name;
}

/** "": it is not set, or there is no git. */
async function gitSetting(setting, env) {
  try {
    return (await promisify(execFile)("git", ["config", setting], { env, timeout: 5000 })).stdout.trim();
  } catch {
    return "";
  }
}

function machineUser() {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return hostname(); // in a container, a user may have no name
  }
}
