// What the browser remembers for the visitor; index.html reads it. With cookies blocked, localStorage throws.

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts as long as the page.
  }
}
