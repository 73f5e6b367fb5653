// The baskets of a store, and which facts each of them names. It keeps none of them alive.

/**
 * A basket's place in a store.
 *
 * @typedef {{ reference: WeakRef<object>, names: Iterable<number> }} Seat `names`: the facts, by their places in the module
 */

export class Members {
  /** @type {Set<Seat>} */
  #seats = new Set();
  /** @type {Map<number, Set<Seat>>} by the place of a fact, the seats that name it */
  #naming = new Map();
  /** The seats of which somebody may listen to the basket. */
  #watched = new Set();
  #collected = new FinalizationRegistry((seat) => this.remove(seat));

  get isEmpty() {
    return this.#seats.size === 0;
  }

  /** Adds a member that names nothing yet. */
  add(member) {
    const seat = { reference: new WeakRef(member), names: [] };
    this.#seats.add(seat);
    this.#collected.register(member, seat, seat);
    return seat;
  }

  /** Follows what a member names now. */
  name(seat, names) {
    for (const place of seat.names) this.#unname(seat, place);
    seat.names = names;
    for (const place of names) {
      const seats = this.#naming.get(place) ?? new Set();
      this.#naming.set(place, seats.add(seat));
    }
  }

  #unname(seat, place) {
    const seats = this.#naming.get(place);
    seats?.delete(seat);
    if (seats?.size === 0) this.#naming.delete(place);
  }

  remove(seat) {
    this.name(seat, []);
    this.#watched.delete(seat);
    this.#seats.delete(seat);
    this.#collected.unregister(seat);
  }

  /** Somebody listens to a member now. */
  watch(seat) {
    this.#watched.add(seat);
  }

  /** Whether anybody listens to any member. */
  get isWatched() {
    for (const seat of this.#watched) {
      if (seat.reference.deref()?.isWatched) return true;
      this.#watched.delete(seat);
    }
    return false;
  }

  /** All members. */
  [Symbol.iterator]() {
    return inUse([...this.#seats]);
  }

  /** The members that name any of these facts. */
  naming(places) {
    const seats = new Set();
    for (const place of places) for (const seat of this.#naming.get(place) ?? []) seats.add(seat);
    return inUse(seats);
  }
}

function* inUse(seats) {
  for (const { reference } of seats) {
    const member = reference.deref();
    if (member) yield member;
  }
}
