/**
 * Draws only if its input has changed. The parts of a basket's snapshot are the same objects until something in them
 * changes, so the input is compared by identity.
 * @param {() => unknown[]} read returns the input
 * @param {() => void} draw
 */
export function whenChanged(read, draw) {
  let drawn;
  return () => {
    const next = read();
    if (drawn && next.every((part, index) => Object.is(part, drawn[index]))) return;
    drawn = next;
    draw();
  };
}
