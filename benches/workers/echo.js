// Parses the order and serializes it again, without pricing.
export default {
  async fetch(request) {
    return Response.json(await request.json());
  },
};
