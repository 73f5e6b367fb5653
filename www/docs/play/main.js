// The playground: an order and the facts of a shop on one side, what the pricer makes of them on the other.
import { createAddress } from "./address.js";
import { EXAMPLES } from "./examples.js";
import { withMissing } from "./missing.js";
import { createShell } from "./shell.js";

/** So long after the last edit the order is priced. */
const DELAY = 120;

/** So long the editor's code waits for somebody; then it is loaded anyway, for use without a network. */
const PATIENCE = 10_000;

const TOUCHES = ["pointermove", "pointerdown", "keydown", "focusin", "input", "dragover"];

const sameText = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const exampleOf = ({ order, facts, policy }) => EXAMPLES.findIndex((example) => sameText(example.state, { order, facts, policy }));

/** Shows the playground in `root`; what it returns takes it away again. */
export function mount(root) {
  const ended = new AbortController();
  const { signal } = ended;
  let [state] = EXAMPLES.map((example) => example.state);
  let own; // what the visitor wrote before an example
  let timer;
  let turn = 0; // an older run is not shown
  let shown = "order"; // the tab of what is priced
  let upgrade = () => {};
  const code = loadCode();
  const touch = touched(signal);

  const shell = createShell(
    root,
    EXAMPLES.map(({ title }) => title),
    {
      onOrder: (order) => edit({ order }),
      onFacts: (facts) => edit({ facts }),
      onOtherFacts: (facts) => edit({ other: { ...state.other, facts } }),
      onPolicy: (side, policy) => edit(side === 0 ? { policy } : { other: { ...state.other, policy } }),
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

  function edit(patch) {
    state = Object.fromEntries(Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined));
    shell.notice.textContent = "";
    showState();
    address.follow(state);
    clearTimeout(timer);
    timer = setTimeout(priceNow, DELAY);
  }

  /** Another state as a whole. */
  function load(next) {
    edit({ limits: undefined, input: undefined, other: undefined, captured: undefined, ...next });
  }

  /** Shows an example, and a way back to what the visitor wrote. */
  function choose(example) {
    if (exampleOf(state) < 0) own = state;
    load({ ...example, ...(state.other && { other: { policy: state.other.policy } }) });
  }

  function backToOwn() {
    const next = own ?? state;
    own = undefined;
    load(next);
  }

  function addFacts(side, missing) {
    const [field, known] = side === 0 ? ["facts", state.facts] : ["other", state.other.facts ?? state.facts];
    const facts = withMissing(known, missing);
    edit(side === 0 ? { facts } : { other: { ...state.other, facts } });
    shell.input.select(field);
    const [{ table, key, entry }] = missing;
    shell.fields[field].goTo([table, key, Object.keys(entry)[0]]);
  }

  function compare(isOn) {
    edit({ other: isOn ? { policy: { ...state.policy } } : undefined });
    if (isOn) shell.input.select("policies");
    shell.output.select(isOn ? "comparison" : "ledger");
  }

  async function opened({ state: next, broken }) {
    await loadTaken(next ?? EXAMPLES[0].state, broken);
    if (state.other) shell.output.select("comparison");
  }

  /** A state from elsewhere, and what there is to say about it. */
  async function loadTaken(next, notice) {
    const { state: taken, leftOut } = await (await code).run.taken(next);
    if (signal.aborted) return;
    load(taken);
    shell.notice.textContent = [notice, leftOut].filter(Boolean).join(" ");
  }

  async function openFiles(files) {
    const { stateOf, sentenceOf } = (await code).capture;
    const { state: next, missingZones, failure } = await stateOf(files).catch((error) => ({ failure: sentenceOf(error) }));
    if (signal.aborted) return;
    if (next) await loadTaken(next, missingZones);
    else shell.notice.textContent = failure;
  }

  /** What the visitor has chosen and written. */
  function showState() {
    const { order, facts, policy, other, captured } = state;
    shell.fields.order.set(order);
    shell.fields.facts.set(facts);
    shell.fields.other.set(other?.facts ?? facts);
    shell.policies.show([policy, other?.policy]);
    const index = exampleOf(state);
    shell.example.value = index < 0 || captured ? "" : index;
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
    const { run, otherOf } = (await code).run;
    const runs = await Promise.all((now.other ? [now, otherOf(now)] : [now]).map(run));
    if (ours === turn && !signal.aborted) showRuns(runs, now);
  }

  function showRuns([one, other], now) {
    const runs = other ? [one, other] : [one];
    shell.total.show(runs, now.order);
    for (const name of ["order", "facts"]) showFaults(name, one.faults[name]);
    showFaults("other", other?.faults.facts ?? []);
    shell.ledger.show(runs);
    for (const view of [shell.answer, shell.questions]) view.show(one);
    shell.output.mark("questions", one.priced ? `${one.priced.questions.length}` : "");
    shell.captured.show(now.captured, one);
    if (other) shell.comparison.show(runs, now);
    root.dataset.priced = `${turn}`;
  }

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
    const [{ createUpgrade }, { keepForOffline }] = await Promise.all([import("./upgrade.js"), import("./offline.js")]);
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
  const [run, capture] = await Promise.all([import("./run.js"), import("./capture.js")]);
  return { run, capture };
}

/** Waits for somebody: an editor is much code, and a page that is only read needs none. */
const touched = (signal) =>
  new Promise((resolve) => {
    for (const type of TOUCHES) addEventListener(type, resolve, { once: true, passive: true, signal });
  });

const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });

/** Waits until the page has been painted and nothing else is due. */
const idle = () =>
  new Promise((resolve) => (globalThis.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 1_000 }) : setTimeout(resolve, 50)));
