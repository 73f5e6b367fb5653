// The image's HEALTHCHECK, because the image has no curl: exit code 0 if the program in this container answers /health.
import process from "node:process";

const { PORT, BASE_PATH = "/" } = process.env;
const folder = `http://127.0.0.1:${PORT}/${BASE_PATH}/`.replace(/(?<!:)\/+/g, "/");
const { ok } = await fetch(new URL("health", folder), { signal: AbortSignal.timeout(2_000) }).catch(() => ({ ok: false }));
process.exitCode = ok ? 0 : 1;
