/**
 * Draws only when what is drawn from has changed: a basket changes at every keystroke, most of the page does not.
 * @param {() => unknown} read what is drawn from, as JSON holds it
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
