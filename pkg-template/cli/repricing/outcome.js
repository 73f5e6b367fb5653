// Whether this package gives the answer that was captured, and what differs if it does not.
import { exactText } from "../../shared/index.js";
import { rankOf, whyOf } from "../comparison/index.js";
import { table, wrap } from "../screen/index.js";
import { aligned } from "./columns.js";

const MOST_SHOWN = 10;
const MOST_CHARACTERS = 16;

/** The differences, what matters most first. */
export const ranked = ({ differences }) => differences.toSorted((a, b) => rankOf(b) - rankOf(a));

/**
 * What a person reads of it.
 * @param {import("../explain-captures.js").Explained} explained
 * @param {import("./texts.js").Texts} t
 * @param {{ width: number, color: boolean }} look
 */
export function outcome({ capture, priced, comparison, software }, t, { width, color }) {
  const lines = (text) => wrap(text, width).join("\n");
  const differences = ranked(comparison);
  if (differences.length === 0) return lines(capture.body === priced.text ? t.sameBytes : t.sameFields);
  const rows = differences.slice(0, MOST_SHOWN).map((difference) => ({
    name: difference.path,
    cells: [...sidesOf(difference).map((text) => (text === null ? t.missing : shortened(text))), reasonOf(difference, t)],
  }));
  const head = [t.field, t.captured, t.now, t.why];
  const parts = [
    lines(`${t.different(differences.length)} ${origin(capture, software, t)}`),
    table({ head, rows: aligned(rows, head, width), color }),
    differences.length > rows.length && lines(t.further(differences.length - rows.length)),
  ];
  return parts.filter(Boolean).join("\n");
}

/**
 * Which software gave the captured answer, beside ours.
 * @param {import("../files/capture-files.js").Capture} capture
 * @param {import("./software.js").Software} ours
 * @param {import("./texts.js").Texts} t
 */
function origin({ package: version, module }, ours, t) {
  if (version === undefined && module === undefined) return t.unknownSoftware(t.software(ours));
  if (module === ours.module) return t.sameSoftware;
  return t.otherSoftware(t.software({ version, module }), t.software(ours));
}

/** The text on both sides; null where there is none. */
export function sidesOf({ shown, left, right }) {
  return shown ?? [left, right].map((value) => (value === undefined ? null : exactText(value)));
}

function reasonOf(difference, t) {
  if (difference.roots.length === 0) return whyOf(difference);
  return difference.roots.includes(difference.field) ? t.unexplained : t.follows(difference.roots[0]);
}

function shortened(text) {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join("")}…` : text;
}
