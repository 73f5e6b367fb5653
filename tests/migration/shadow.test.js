// The shadow Worker on workerd, between clients, an old service and the pricing Worker.
import "./hops.js";
import "./chunks.js";
import "./captures.js";
import "./serving.js";
