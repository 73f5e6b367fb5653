// The playground: an order and the facts of a shop on one side, what the pricer makes of them on the other.
import { EXAMPLES } from "./examples.js";
import { createAddress } from "./link/index.js";
import { withMissing } from "./results/index.js";
import { createShell } from "./shell.js";

/** So long after the last edit the order is priced. */
const DELAY = 120;

/** So long the editor's code waits for somebody; then it is loaded anyway, for use without a network. */
const PATIENCE = 10_000;

const TOUCHES = ["pointermove", "pointerdown", "keydown", "focusin", "input", "dragover"];

/**
 * @typedef {import("./link/state.js").State} State
 * @typedef {import("./run/run.js").Run} Run
 */

/**
 * @param {State} one
 * @param {State} other
 */
const sameText = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {State} state */
const exampleOf = ({ order, facts, policy }) => EXAMPLES.findIndex((example) => sameText(example.state, { order, facts, policy }));

/**
 * Shows the playground in `root`; what it returns takes it away again.
 * @param {HTMLElement} root
 */
export function mount(root) {
  const ended = new AbortController();
  const { signal } = ended;
  let [state] = EXAMPLES.map((example) => example.state);
  /** @type {State | undefined} what the visitor wrote before an example */
  let own;
  let timer;
  let turn = 0; // an older run is not shown
  let shown = "order"; // the tab of what is priced
  /** @type {(tab: string) => void} */
  let upgrade = () => {};
  const code = loadCode();
  const touch = touched(signal);

  const shell = createShell(
    root,
    EXAMPLES.map(({ title }) => title),
    {
      onOrder: (order) => edit({ order }),
      onFacts: (facts) => edit({ facts }),
      onOtherFacts: (facts) => editOther({ facts }),
      onPolicy: (side, policy) => (side === 0 ? edit({ policy }) : editOther({ policy })),
      onExample: (index) => choose(EXAMPLES[index].state),
      onCompare: (isOn) => compare(isOn),
      onFiles: (files) => openFiles(files),
      onShown: (id) => upgrade((shown = id)),
      onForget: () => edit({ captured: undefined }),
      onOwn: backToOwn,
      onAdd: addFacts,
      link: () => address.linkTo(state),
    },
    signal,
  );
  const address = createAddress({ isFirst: (one) => sameText(one, EXAMPLES[0].state), onOpen: opened, signal });

  /** @param {Partial<State>} patch */
  function edit(patch) {
    state = { ...state, ...patch };
    shell.notice.textContent = "";
    showState();
    address.follow(state);
    clearTimeout(timer);
    timer = setTimeout(priceNow, DELAY);
  }

  /** @param {Partial<NonNullable<State["other"]>>} patch */
  function editOther(patch) {
    edit({ other: { policy: {}, ...state.other, ...patch } });
  }

  /**
   * Another state as a whole.
   * @param {State} next
   */
  function load(next) {
    edit({ limits: undefined, input: undefined, other: undefined, captured: undefined, ...next });
  }

  /**
   * Shows an example, and a way back to what the visitor wrote.
   * @param {State} example
   */
  function choose(example) {
    if (exampleOf(state) < 0) own = state;
    load({ ...example, ...(state.other && { other: { policy: state.other.policy } }) });
  }

  function backToOwn() {
    const next = own ?? state;
    own = undefined;
    load(next);
  }

  /**
   * @param {number} side
   * @param {import("./results/missing.js").Missing[]} missing
   */
  function addFacts(side, missing) {
    if (side === 0) edit({ facts: withMissing(state.facts, missing) });
    else editOther({ facts: withMissing(state.other?.facts ?? state.facts, missing) });
    const field = side === 0 ? "facts" : "other";
    shell.input.select(field);
    const [{ table, key, entry }] = missing;
    shell.fields[field].goTo([table, key, Object.keys(entry)[0]]);
  }

  /** @param {boolean} isOn */
  function compare(isOn) {
    edit({ other: isOn ? { policy: { ...state.policy } } : undefined });
    if (isOn) shell.input.select("policies");
    shell.output.select(isOn ? "comparison" : "ledger");
  }

  /** @param {{ state?: State, broken?: string }} link */
  async function opened({ state: next, broken }) {
    await loadTaken(next ?? EXAMPLES[0].state, broken);
    if (state.other) shell.output.select("comparison");
  }

  /**
   * A state from elsewhere, and what there is to say about it.
   * @param {State} next
   * @param {string} [notice]
   */
  async function loadTaken(next, notice) {
    const { state: taken, leftOut } = await (await code).taken(next);
    if (signal.aborted) return;
    load(taken);
    shell.notice.textContent = [notice, leftOut].filter(Boolean).join(" ");
  }

  /** @param {File[]} files */
  async function openFiles(files) {
    const { stateOf, sentenceOf } = await code;
    const found = await stateOf(files).catch(sentenceOf);
    if (signal.aborted) return;
    if (typeof found === "string") shell.notice.textContent = found;
    else await loadTaken(found.state, found.missingZones);
  }

  /** What the visitor has chosen and written. */
  function showState() {
    const { order, facts, policy, other, captured } = state;
    shell.fields.order.set(order);
    shell.fields.facts.set(facts);
    shell.fields.other.set(other?.facts ?? facts);
    shell.policies.show([policy, other?.policy]);
    const index = exampleOf(state);
    shell.example.value = index < 0 || captured ? "" : `${index}`;
    shell.back.hidden = own === undefined;
    shell.compare.checked = other !== undefined;
    shell.input.show("other", other !== undefined);
    shell.output.show("comparison", other !== undefined);
    const changed = new Set([policy, other?.policy].flatMap((one) => Object.keys(one ?? {}))).size;
    shell.input.mark("policies", changed > 0 ? `${changed}` : "");
  }

  async function priceNow() {
    turn += 1;
    const [ours, now] = [turn, state];
    const { run, sidesOf } = await code;
    const runs = await Promise.all(sidesOf(now).map(run));
    if (ours === turn && !signal.aborted) showRuns(runs, now);
  }

  /**
   * @param {Run[]} runs of A, and of B if there is one
   * @param {State} now
   */
  function showRuns(runs, now) {
    const [one, other] = runs;
    shell.total.show(runs, now.order);
    showFaults("order", one.faults.order);
    showFaults("facts", one.faults.facts);
    showFaults("other", other?.faults.facts ?? []);
    shell.ledger.show(runs);
    for (const view of [shell.answer, shell.questions]) view.show(one);
    shell.output.mark("questions", one.priced ? `${one.priced.questions.length}` : "");
    shell.captured.show(now.captured, one);
    if (now.other) shell.comparison.show(runs, now, now.other);
    root.dataset.priced = `${turn}`;
  }

  /**
   * @param {"order" | "facts" | "other"} name
   * @param {import("./schema/faults.js").Fault[]} faults
   */
  function showFaults(name, faults) {
    const errors = faults.filter(({ severity }) => severity === "error").length;
    shell.fields[name].show(faults);
    shell.input.mark(name, faults.length > 0 ? `${errors || faults.length}` : "", errors > 0 ? "is-error" : "");
  }

  async function start() {
    showState();
    await address.open();
    await priceNow();
    await Promise.race([touch, pause(PATIENCE, signal)]);
    const [{ createUpgrade }, { keepForOffline }] = await Promise.all([import("./editor/index.js"), import("./offline.js")]);
    root.dataset.ready = "";
    touch.then(() => {
      upgrade = createUpgrade(shell.fields, () => state);
      upgrade(shown);
    });
    await keepForOffline(() => (shell.offline.textContent = "It opens without a network, too."), signal);
  }

  start().catch((error) => {
    shell.notice.textContent = `The playground could not load: ${error.message}`;
    throw error;
  });

  return () => {
    ended.abort();
    clearTimeout(timer);
    for (const field of Object.values(shell.fields)) field.destroy();
    root.replaceChildren();
  };
}

/** What the first paint does without. */
async function loadCode() {
  await idle();
  return import("./run/index.js");
}

/**
 * Waits for somebody: an editor is much code, and a page that is only read needs none.
 * @param {AbortSignal} signal
 */
const touched = (signal) =>
  new Promise((resolve) => {
    for (const type of TOUCHES) addEventListener(type, resolve, { once: true, passive: true, signal });
  });

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });

/** Waits until the page has been painted and nothing else is due. */
const idle = () =>
  new Promise((resolve) =>
    "requestIdleCallback" in globalThis ? requestIdleCallback(resolve, { timeout: 1_000 }) : setTimeout(resolve, 50),
  );
