// The limits of Cloudflare's platform, each with its source.
import { readFileSync } from "node:fs";

export const LIMITS = JSON.parse(readFileSync(new URL("../../tests/worker/platform.json", import.meta.url), "utf8"));
