// What the browser remembers for the visitor; index.html reads some of it. With cookies blocked, localStorage throws.

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It lasts as long as the page.
  }
}

/** What was remembered; null if nothing was. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
