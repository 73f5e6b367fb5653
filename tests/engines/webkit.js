// WebKitGTK over WebDriver, on a display of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Builder, By, Capabilities } from "selenium-webdriver";
import { freePorts } from "../ports.js";
import { PATIENCE_MS } from "../until.js";
import { Tab } from "./tab.js";

const WINDOW = fileURLToPath(new URL("./webkit-window.gjs", import.meta.url));
/** Larger than any window of the tests. */
const SCREEN = "1600x12000x24";
const PAUSE_MS = 50;
/** Longer than the longest evaluation: a run of the benchmark. */
const TIMEOUT_MS = 600_000;

/** What webkit-window.gjs and WebKit itself write for something that went wrong. */
const PROBLEM = /CONSOLE (?:\w+ )?(?:ERROR|WARN)|^(?:\d{3}|Failed) https?:/;

class WebKitTab extends Tab {
  name = "WebKitGTK";
  #driver;
  #stop;

  constructor(version, driver, stop) {
    super();
    this.version = version;
    this.#driver = driver;
    this.#stop = stop;
  }

  goto(url) {
    return this.#driver.get(url);
  }

  reload() {
    return this.#driver.navigate().refresh();
  }

  async resize(size) {
    await this.#driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...size });
    await this.until(({ width, height }) => innerWidth === width && innerHeight === height, size);
  }

  async evaluate(run, ...values) {
    return this.#driver.executeScript(`return (${run})(...arguments)`, ...values);
  }

  press(selector) {
    return this.#driver.findElement(By.css(selector)).click();
  }

  async type(text) {
    await this.#driver.switchTo().activeElement().sendKeys(text);
  }

  /** The window's content as PNG. */
  async picture() {
    return Buffer.from(await this.#driver.takeScreenshot(), "base64");
  }

  async close() {
    await this.#driver.quit().finally(this.#stop);
  }
}

/** @param {{ display: string, driver: string, gjs: string }} programs */
export async function openWebKit(programs) {
  const profile = await mkdtemp(path.join(tmpdir(), "order-cost-webkit-"));
  const children = [];
  const start = (program, args, options) => {
    const child = spawn(program, args, options);
    children.push(child);
    return child;
  };
  const stop = async () => {
    const ended = children.map((child) => child.exitCode === null && child.kill() && once(child, "exit"));
    await Promise.all(ended);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const screen = ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"];
    const display = await firstLine(start(programs.display, screen, { stdio: ["ignore", "pipe", "ignore"] }));
    const port = await freePorts();
    const env = { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: "1" };
    const server = start(programs.driver, [`--port=${port}`], { env, stdio: ["ignore", "ignore", "pipe"] });
    const address = `http://127.0.0.1:${port}`;
    await isAnswering(address);
    const driver = await startSession(address, { binary: programs.gjs, args: [WINDOW, profile] });
    const tab = new WebKitTab((await driver.getCapabilities()).getBrowserVersion(), driver, stop);
    createInterface(server.stderr).on("line", (line) => tab.hear(line, PROBLEM.test(line)));
    return tab;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSession(address, window) {
  const wanted = new Capabilities({ browserName: "WebKitGTK", "webkitgtk:browserOptions": window });
  const driver = await new Builder().usingServer(address).withCapabilities(wanted).build();
  await driver.manage().setTimeouts({ script: TIMEOUT_MS });
  return driver;
}

/** The number of the display, which Xvfb writes when it is ready. */
async function firstLine({ stdout }) {
  for await (const line of createInterface(stdout)) return line;
  throw new Error("Xvfb ended before it had a display");
}

async function isAnswering(address) {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await fetch(`${address}/status`);
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(PAUSE_MS);
    }
  }
}
