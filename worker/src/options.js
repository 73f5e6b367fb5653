/**
 * Reads and checks the Worker's variables. A missing or empty variable means the default.
 * @param {Record<string, unknown>} env
 */
export function readOptions(env) {
  const variable = (name, parse) => {
    const text = String(env[name] ?? "").trim();
    if (text !== "") return parse(text, name);
  };
  const deadlineMs = variable("DEADLINE_MS", integer(0, MOST_MS));
  const maxBodyBytes = variable("MAX_BODY_BYTES", integer(1, MOST_COUNT));
  const orderDeadlineMs = variable("ORDER_DEADLINE_MS", integer(0, MOST_MS)) ?? 10_000;
  return {
    routes: { basePath: variable("BASE_PATH", path), maxBodyBytes, deadlineMs: orderDeadlineMs },
    pricer: {
      policy: {
        rowTotal: variable("ROW_TOTAL", oneOf("effective", "list")),
        freeShipping: variable("FREE_SHIPPING", oneOf("asStated", "waivesDelivery")),
        expressSurcharge: variable("EXPRESS_SURCHARGE", oneOf("firstSchedule", "firstExpress")),
      },
      deadlineMs,
      limits: {
        maxBodyBytes,
        maxProducts: variable("MAX_PRODUCTS", integer(1, MOST_COUNT)),
        maxVouchers: variable("MAX_VOUCHERS", integer(0, MOST_COUNT)),
        maxCoupons: variable("MAX_COUPONS", integer(0, MOST_COUNT)),
        maxSchedules: variable("MAX_SCHEDULES", integer(0, MOST_COUNT)),
      },
    },
    services: {
      nationwideUrl: variable("NATIONWIDE_URL", url),
      couponsUrl: variable("COUPONS_URL", url),
      logText: variable("LOG_SERVICE_TEXT", oneOf("0", "1")) === "1",
    },
    data: {
      refreshMs: 1000 * (variable("DATA_REFRESH_SECONDS", integer(0, MOST_COUNT)) ?? 30),
      maxAgeMs: 1000 * (variable("DATA_MAX_AGE_SECONDS", integer(0, MOST_COUNT)) ?? 300),
      cacheBytes: variable("CACHE_BYTES", integer(0, MOST_COUNT)) ?? 33_554_432,
      deadlineMs: deadlineMs ?? 5000,
    },
    rates: { keepMs: 1000 * (variable("RATES_CACHE_SECONDS", integer(0, MOST_COUNT)) ?? 60) },
    access: { allowedOrigins: variable("ALLOWED_ORIGINS", origins) ?? [], apiKey: secret(env, "API_KEY") },
  };
}

/** The package's own limits: its timers and its memory cannot count further. */
const MOST_MS = 2 ** 31 - 1;
const MOST_COUNT = 2 ** 32 - 1;

const integer = (least, most) => (text, name) => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) refuse(name, `an integer of ${least} or more`, text);
  return value <= most ? value : refuse(name, `an integer of at most ${most}`, text);
};

const oneOf =
  (...choices) =>
  (text, name) =>
    choices.includes(text) ? text : refuse(name, `one of ${choices.join(", ")}`, text);

/**
 * Refuses a key that no request can carry, and a blank one: they would lock everybody out, or let everybody in,
 * unnoticed.
 */
function secret(env, name) {
  const text = String(env[name] ?? "");
  if (text === "") return undefined;
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`Variable ${name}: expected visible ASCII characters without spaces`);
  return key;
}

const path = (text, name) => (/[?#\s\\*]|:\/\//.test(text) ? refuse(name, "a path", text) : text);

/** The platform would silently drop a user and a password. */
function url(text, name) {
  const { protocol, username, password } = parsed(text) ?? {};
  const isOne = /^https?:$/.test(protocol) && username === "" && password === "";
  return isOne ? text : refuse(name, "an http or https URL without a user or password", text);
}

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
