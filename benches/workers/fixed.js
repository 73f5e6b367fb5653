// Answers as many bytes as a priced order has, without JSON: the most that workerd and the client can do.
const GROWTH = 1.86;
const bytes = new Uint8Array(2 ** 18).fill(0x20);

export default {
  async fetch(request) {
    const body = await request.arrayBuffer();
    return new Response(bytes.subarray(0, body.byteLength * GROWTH));
  },
};
