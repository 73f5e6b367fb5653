/**
 * The sequence of two that matter equally: by the values of their ties. Without any they stay as they were read.
 * @param {(string | number)[]} a
 * @param {(string | number)[]} b
 */
export function byTie(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}
