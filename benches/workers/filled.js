// Parses the order and serializes it with filler, without pricing: as many bytes as the priced order has.
import { FILLER, fill } from "../orders/filler.js";

export default {
  async fetch(request) {
    return Response.json(fill(await request.json(), request.headers.get(FILLER)));
  },
};
