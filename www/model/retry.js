/** Asks for what failed, at once. Whether it succeeds, the snapshot says. */
export const retry = (basket) => basket.settle().catch(() => {});

/** What may succeed when it is asked again. */
export const isRetryable = ({ retryable }) => retryable;

/** Asks again when the browser is back online, or when the visitor comes back to the page. */
export function retryOnReturn(basket) {
  const onReturn = () => {
    const isSeen = document.visibilityState === "visible";
    if (isSeen && basket.snapshot.problems.some(isRetryable)) retry(basket);
  };
  addEventListener("online", onReturn);
  document.addEventListener("visibilitychange", onReturn);
}
