// What an order and facts may have, and what is wrong with them.
export { FACTS } from "./facts-schema.js";
export { factsFaults, jsonFault, orderFaults, placedError } from "./faults.js";
export { firstErrorIn, keysTo, nameOf, placeOf } from "./places.js";
export { ORDER, shapesAt, typesOf } from "./schema.js";
