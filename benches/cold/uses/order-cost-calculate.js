import { createPricer } from "order-cost/calculate";
import { firstPrice } from "../first-use.js";

export default (given) => firstPrice(createPricer, given);
