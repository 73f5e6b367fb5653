// Reads the order and writes it again, nothing priced.
export default {
  async fetch(request) {
    return Response.json(await request.json());
  },
};
