// Fills into the package's types what the tables of src/ declare. `Generated<"…">` is replaced by
// - as the base of an interface, the fields of `Order.read`, `Order.response` or `Order.totals`, or the look-ups' `times`;
// - elsewhere, the words of an enum, the keys of `Summary`, the `codes`, the `policies` or the `limits`.

import { answeredName, enumName, isOfOrder, nameIn, withUnit } from "./names.mjs";

/** The types of the kinds. Of two, the first is read and the second is in the response. */
const KINDS = {
  string: "string",
  strings: ["readonly string[]", "string[]"],
  flag: "boolean",
  any: "Json",
  array: ["readonly Json[]", "Json[]"],
  ...Object.fromEntries(["number", "integer", "time", "degrees", "factor", "baht", "kilograms"].map((kind) => [kind, "number"])),
};

/** What the response has in place of what was read. */
const FILLED_IN = {
  "Product.branchId": { kind: "string", means: "The order's branch (D4)." },
  "Shipping.scheduleList": { means: "The slots with their fees, in the request's sequence." },
  "Schedule.nationwideConfig": {
    means: 'From the nationwide rate, else from the order, else `null`; `"none"` for the other modes (D36).',
  },
};

/** The text with all that is generated. */
export function withOrderTypes(text, reference) {
  const fields = (object, part) => FIELDS[part](reference.objects[object] ?? reference[object], object).join("\n");
  const linked = linksTo(reference.hostFunctions);
  return text
    .replace(/(?: extends|,) Generated<"(\w+)\.(\w+)"> \{\n?/g, (_, object, part) => linked(` {\n${fields(object, part)}\n`))
    .replace(/ ?Generated<"(\w+)">/g, (_, name) => linked(typeOf(name, reference)));
}

const FIELDS = {
  read: ({ read }) => read.map(readField),
  times: (functions) =>
    functions.map(({ name, part }) =>
      field(`readonly ${part}?`, `Milliseconds of ${name}, from the first call to the last answer. Absent if it was not called.`, "number"),
    ),
  totals: (order) => totalsOf(order).map((line) => field(line.key, sentence(line), typeIn("response", line))),
  response(object, name) {
    const totals = totalsOf(object).map(({ key }) => key);
    const own = object.response.filter((key) => name !== "Order" || !totals.includes(key));
    return own.map((key) => responseField(key, object, name));
  },
};

/** The totals are those fields of the response that hold nothing. */
const totalsOf = ({ added }) => added.filter(({ class: kind }) => kind !== "nested");

function readField(line) {
  const type = typeIn("read", line);
  const { key, required, default: byDefault } = line;
  const says = `${sentence(line)}${line.kind === "integer" ? " An integer." : ""}`;
  if (required) return field(key, `${says} Required.`, type);
  const whenAbsent = /\bDefault\b/.test(says) ? "" : ` Default ${code(byDefault)}.`;
  return field(`${key}?`, `${says}${whenAbsent}`, type === "Json" ? type : `${type} | null`);
}

function responseField(key, { read, added }, name) {
  const sent = read.find((line) => line.key === key);
  const made = FILLED_IN[`${name}.${key}`] ?? added.find((line) => line.key === key);
  const line = { key, ...sent, ...made };
  const type = typeIn("response", line);
  const says = made || !isOfOrder(name) ? sentence(line) : repeated(sent);
  return field(key, says, line.default === null && type !== "Json" ? `${type} | null` : type);
}

/** What a field is, and that it comes back. */
function repeated(line) {
  const [first] = sentence(line).match(/^.*?\.(?= [A-Z]|$)/);
  const whole = line.kind === "strings" ? ", repeated ones included" : "";
  return `${first} From the order${whole}${line.required ? "" : `; default ${code(line.default)}`}.`;
}

const sentence = (line) => withUnit(line, line.means);

function typeIn(place, line) {
  const { kind, of } = line;
  if (kind === "word") return enumName(of);
  const isRead = place === "read";
  const held = () => (isRead ? nameIn(line, "read") : answeredName(line));
  if (kind === "object") return held();
  if (kind === "objects") return `${isRead ? "readonly " : ""}${held()}[]`;
  const type = KINDS[kind];
  return typeof type === "string" ? type : type[isRead ? 0 : 1];
}

function typeOf(name, reference) {
  const { objects, enums } = reference;
  if (OPTIONS[name]) return ` {\n${reference[name].map(OPTIONS[name]).join("\n").replace(/^/gm, "  ")}\n  }`;
  if (name === "codes") return union(reference.codes.map(codeWord));
  if (enums[name]) return union(enums[name]);
  const totals = totalsOf(objects.Order).map(({ key }) => key);
  return union(objects[name].response.filter((key) => totals.includes(key)).map((word) => ({ word })));
}

const OPTIONS = {
  policies({ name, means, values }) {
    const [words, effects] = [values.map(({ word }) => `"${word}"`), values.map(({ word, means }) => `${code(word)}: ${means}`)];
    return field(`${name}?`, `${means} ${effects.join(" ")} Default ${code(values[0].word)}.`, words.join(" | "));
  },
  limits: ({ name, means, default: byDefault }) => field(`${name}?`, `${means} Default ${code(byDefault)}.`, "number"),
};

/** What the code means, and what to do. */
const codeWord = ({ word, messages, fix }) => ({ word, means: [...messages.map(({ when }) => when), fix].join(" ") });

const field = (key, says, type) => `  /** ${says} */\n  ${key}: ${type};`;
const union = (words) => words.map(({ word, means }) => `\n${means ? `  /** ${means} */\n` : ""}  | "${word}"`).join("");
const code = (value) => `\`${JSON.stringify(value)}\``;

/** Gives a text links to limits and to the functions of the host. */
function linksTo(hostFunctions) {
  const names = new RegExp(`\`(${hostFunctions.map(({ name }) => name).join("|")})\``, "g");
  return (text) => text.replace(/`(limits\.\w+)`/g, "{@link PricerOptions.limits | $1}").replace(names, "{@link Host.$1}");
}
