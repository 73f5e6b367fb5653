/**
 * The Worker's variables, checked. One that is missing or empty leaves the default of what it configures.
 * @param {Record<string, unknown>} env
 */
export function readOptions(env) {
  const variable = (name, parse) => {
    const text = String(env[name] ?? "").trim();
    if (text !== "") return parse(text, name);
  };
  const deadlineMs = variable("DEADLINE_MS", integer(0));
  const maxBodyBytes = variable("MAX_BODY_BYTES", integer(1));
  return {
    routes: { basePath: variable("BASE_PATH", path), maxBodyBytes },
    pricer: {
      policy: {
        rowTotal: variable("ROW_TOTAL", oneOf("effective", "list")),
        freeShipping: variable("FREE_SHIPPING", oneOf("asStated", "waivesDelivery")),
      },
      deadlineMs,
      limits: { maxBodyBytes, maxProducts: variable("MAX_PRODUCTS", integer(1)) },
    },
    services: { nationwideUrl: variable("NATIONWIDE_URL", url), couponsUrl: variable("COUPONS_URL", url) },
    zones: { refreshMs: 1000 * (variable("ZONES_REFRESH_SECONDS", integer(0)) ?? 300), deadlineMs: deadlineMs ?? 5000 },
    access: { allowedOrigins: variable("ALLOWED_ORIGINS", origins) ?? [], apiKey: variable("API_KEY", String) },
  };
}

const integer = (least) => (text, name) => {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= least ? value : refuse(name, `an integer of ${least} or more`, text);
};

const oneOf =
  (...choices) =>
  (text, name) =>
    choices.includes(text) ? text : refuse(name, `one of ${choices.join(", ")}`, text);

const path = (text, name) => (/[?#\s]/.test(text) ? refuse(name, "a path", text) : text);

const url = (text, name) =>
  /^https?:$/.test(parsed(text)?.protocol) ? text : refuse(name, "an http or https URL", text);

const origins = (text, name) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((origin) =>
      origin === "*" || parsed(origin)?.origin === origin
        ? origin
        : refuse(name, "origins like https://shop.example, or *", origin),
    );

const parsed = (text) => (URL.canParse(text) ? new URL(text) : undefined);

function refuse(name, expected, text) {
  throw new Error(`Variable ${name}: expected ${expected}, got ${JSON.stringify(text)}`);
}
