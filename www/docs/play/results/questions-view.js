// What the host was asked, and what the facts answered.
import { element } from "../../../dom/index.js";
import { colours, laidOut } from "../parts/index.js";

const ASKED = {
  lookupPrices: "What do these products cost at these branches?",
  deliveryZones: "Where do the branches deliver, and for how much?",
  nationwideRate: "What does a parcel of this kind to this postcode cost?",
  lookupVouchers: "What are these vouchers worth?",
  validateCoupons: "What do these coupons take off this order?",
};

/** How many answers are listed. */
const MOST_ANSWERS = 100;

export function createQuestionsView() {
  const node = element("div", { class: "play-questions" });

  /** @param {import("../run/run.js").Run} run */
  function show({ priced, refusal }) {
    if (!priced) return node.replaceChildren(element("p", { class: "play-empty" }, refusal));
    const { questions } = priced;
    if (questions.length === 0) return node.replaceChildren(element("p", { class: "play-empty" }, "The host was asked nothing."));
    node.replaceChildren(element("ol", {}, ...questions.map(item)));
  }

  return { node, show };
}

/** @param {import("../run/host.js").Question} question */
function item({ name, argument, answers, failure }) {
  const rest = answers.length - MOST_ANSWERS;
  return element(
    "li",
    {},
    element("h2", {}, element("code", {}, name)),
    element("p", {}, ASKED[name]),
    failure
      ? element("p", { class: "is-error" }, failure)
      : element(
          "dl",
          {},
          ...answers.slice(0, MOST_ANSWERS).map(answered),
          rest > 0 && element("div", {}, element("dt", {}, `And ${rest} more`)),
        ),
    name === "validateCoupons" && element("details", {}, element("summary", {}, "The whole request"), json(JSON.stringify(argument))),
  );
}

/** @param {import("../run/host.js").Question["answers"][number]} answer */
const answered = ([asked, answer]) =>
  element(
    "div",
    {},
    element("dt", {}, asked),
    element("dd", {}, answer === undefined ? element("span", { class: "play-none" }, "not found") : json(answer)),
  );

/** @param {string} text */
function json(text) {
  if (!isJson(text)) return text;
  return element("pre", {}, element("code", {}, ...colours(laidOut(text, { isRecord: true }))));
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
