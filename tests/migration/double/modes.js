// How an old service fails to answer at all.

/** Longer than anybody waits. */
const LONG_MS = 60_000;

export const MODES = {
  down() {
    throw new Error("The double is down, as the order wants");
  },
  hang: () => scheduler.wait(LONG_MS).then(() => new Response(null, { status: 504 })),
  html: () => new Response("<h1>502 Bad Gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
};
