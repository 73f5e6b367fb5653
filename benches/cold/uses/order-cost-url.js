import { createPricer } from "order-cost/url";
import { firstPrice } from "../first-use.js";

export default (given) => firstPrice(createPricer, given);
