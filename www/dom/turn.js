/** Lets the browser draw, and answer the visitor, before the next part of a long work. */
export const turn = () => new Promise((resolve) => setTimeout(resolve));
