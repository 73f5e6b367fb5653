/** A count as people read it: 12,345. */
export const figure = (count) => count.toLocaleString("en");
