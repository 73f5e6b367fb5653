// How long plain orders wait beside hostile ones. The measure is a ratio within one run, not a time.

export const HOSTILE_AT_ONCE = 16;
const PLAIN_AT_ONCE = 8;
const ROUNDS = 3;
const ATTEMPTS = 5;

/**
 * The worst wait of plain orders beside hostile ones, divided by the worst wait of plain orders alone. Other load on
 * the machine only increases it, so the measurement is repeated while it exceeds `most`, and the smallest ratio counts.
 *
 * @param {() => Promise<unknown>} sendPlain
 * @param {() => Promise<unknown>} sendHostile
 * @param {number} most
 */
export async function waitRatio(sendPlain, sendHostile, most) {
  await worstWait(sendPlain, sendHostile);
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= most; attempt += 1) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ alone: await worstWait(sendPlain), beside: await worstWait(sendPlain, sendHostile) });
    }
    const medianOf = (name) => median(rounds.map((round) => round[name]));
    least = Math.min(least, medianOf("beside") / medianOf("alone"));
  }
  return least;
}

async function worstWait(sendPlain, sendHostile) {
  const start = performance.now();
  const hostile = sendHostile ? Array.from({ length: HOSTILE_AT_ONCE }, sendHostile) : [];
  const plain = Array.from({ length: PLAIN_AT_ONCE }, async () => {
    await sendPlain();
    return performance.now() - start;
  });
  const waits = await Promise.all(plain);
  await Promise.all(hostile);
  return Math.max(...waits);
}

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
