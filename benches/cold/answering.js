/** A Worker that answers after its first use. */
export const answering = (firstUse, given) => ({
  async fetch() {
    await firstUse(given);
    return new Response();
  },
});
