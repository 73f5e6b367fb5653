// The fields of an order, of its facts and of its response, the look-ups and the policies, made of what xtask-reference prints.

/**
 * `FIELDS`: of each object those that are `read`, and those of the `response` in the contract's sequence. `DEFAULTS`: of
 * each object those of its optional fields. `WORDS`: those of each enum. `MODES`: the row of each delivery mode. `LIMITS`:
 * the defaults of an order's limits. `POLICIES`: of each the decision behind it, its values, the default first, and `what`
 * it says. `LOOK_UPS`: of each function of the host its row in src/lookup.rs. A field's `of` is the enum, or the object
 * that it holds.
 */
export function orderFields({ objects, enums, modes, hostFunctions, policies, limits }) {
  const lines = (name) => [...objects[name].read, ...objects[name].added];
  const lineOf = (name, key) => [...lines(name), ...lines("Order")].find((line) => line.key === key);
  const ofEach = (make) => mapped(Object.keys(objects), (name) => [name, make(objects[name], name)]);
  return {
    FIELDS: ofEach(({ read, response }, name) => ({
      read: mapped(read, (line) => [line.key, fieldOf(line)]),
      response: mapped(response, (key) => [key, fieldOf(lineOf(name, key))]),
    })),
    DEFAULTS: ofEach(({ read }) => mapped(read, ({ key, default: value }) => [key, value])),
    LOOK_UPS: mapped(hostFunctions, ({ name, ...row }) => [name, row]),
    POLICIES: mapped(policies, (policy) => [policy.name, policyOf(policy)]),
    WORDS: mapped(Object.entries(enums), ([name, words]) => [name, words.map(({ word }) => word)]),
    MODES: mapped(modes, ({ word, ...row }) => [word, row]),
    LIMITS: mapped(limits, ({ name, default: value }) => [name, value]),
  };
}

const mapped = (list, make) => Object.fromEntries(list.map(make));

function fieldOf({ key, kind, class: ofPerson, required, of }) {
  if (ofPerson === "nested" && of === undefined) throw new Error(`${key}: its line in src/ does not say what it holds`);
  return { kind, class: ofPerson, required, of };
}

/** The first sentence says what: "Which price makes `rowTotal` (D15)." */
function policyOf({ name, means, values }) {
  const said = /^(.)(.*?) \((D\d+)/.exec(means);
  if (!said) throw new Error(`${name}: the first sentence of a policy in src/options.rs ends with its decision`);
  const [, begin, rest, decision] = said;
  return { decision, values: values.map(({ word }) => word), what: `${begin.toLowerCase()}${rest.replaceAll("`", "")}` };
}
