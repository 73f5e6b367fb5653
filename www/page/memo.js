/**
 * Draws only if its input has changed. The basket changes with every keystroke, most of the page does not.
 * @param {() => unknown} read returns the input, as a JSON value
 * @param {() => void} draw
 */
export function whenChanged(read, draw) {
  let drawn;
  return () => {
    const next = JSON.stringify(read());
    if (next === drawn) return;
    drawn = next;
    draw();
  };
}
