// Two snapshots of a basket share what is equal in them.
import assert from "node:assert/strict";

const isObject = (value) => value !== null && typeof value === "object";

/** Errors are compared by what they say, the rest by value. */
function isEqual(left, right) {
  if (Object.is(left, right)) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (left instanceof Error || right instanceof Error) {
    return ["code", "message", "path", "retryable", "requestId", "subject", "cause"].every((name) => isEqual(left[name], right[name]));
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

/** The same object if and only if it is equal, part by part. Rows and products are the same part while they keep their key. */
export function assertShared(before, after, path) {
  if (!isObject(before) || !isObject(after)) return;
  if (isEqual(before, after)) {
    assert.equal(before === after, true, `${path} is equal, and another object`);
    return;
  }
  assert.notEqual(before, after, `${path} differs, and is the same object`);
  if (before instanceof Error || after instanceof Error) return;
  if (path === "snapshot") {
    const rows = pairs(before.rows, after.rows, ({ key }) => key);
    for (const [left, right] of rows) {
      assertShared(left, right, `snapshot.rows[key ${left.key}]`);
      const product = ({ order }, row, list) => order.productList[list.indexOf(row)];
      assertShared(product(before, left, before.rows), product(after, right, after.rows), `snapshot.order.productList[key ${left.key}]`);
    }
    for (const name of ["validVouchers", "invalidVouchers"]) {
      for (const [left, right] of pairs(before[name], after[name], ({ voucherId }) => voucherId))
        assertShared(left, right, `snapshot.${name}`);
    }
    for (const problem of after.problems) {
      const equal = before.problems.filter((one) => isEqual(one, problem));
      assert.ok(equal.length === 0 || equal.includes(problem), `snapshot.problems: ${problem.message}`);
    }
  }
  const skipped = /^snapshot\.(rows|problems|error|validVouchers|invalidVouchers|order\.productList)$/;
  for (const name of Object.keys(after)) {
    const place = `${path}.${name}`;
    if (/^snapshot\.slots\.\d+\.problem$/.test(place)) continue; // the calls of two slots may fail alike
    if (!skipped.test(place)) assertShared(before[name], after[name], place);
    else if (isObject(before[name]) && isEqual(before[name], after[name]))
      assert.ok(before[name] === after[name], `${place} is equal, and another object`);
  }
}

function pairs(before, after, keyOf) {
  const byKey = new Map(before.map((one) => [keyOf(one), one]));
  return after.filter((one) => byKey.has(keyOf(one))).map((one) => [byKey.get(keyOf(one)), one]);
}

/** All but what an error's `cause` is. */
export function assertFrozen(value, path = "snapshot") {
  if (!isObject(value)) return;
  assert.ok(Object.isFrozen(value), `${path} is not frozen`);
  for (const name of Object.keys(value)) if (name !== "cause") assertFrozen(value[name], `${path}.${name}`);
  if (value instanceof Error) assertFrozen(value.subject, `${path}.subject`);
}
