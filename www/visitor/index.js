// Views of who the visitor is, of the link to this basket, of an outage, of the speed.
export { createAddress } from "./address.js";
export { createSpeedView } from "./speed.js";
export { createTroubleView } from "./trouble-view.js";
export { createVisitorView } from "./visitor.js";
