// What the browser remembers for the visitor. It may not: with cookies blocked, localStorage throws.

/** The value; null if there is none. */
export function recalled(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts as long as the page.
  }
}
