import { createPricer } from "order-cost";
import { firstPrice } from "../first-use.js";

export default (given) => firstPrice(createPricer, given);
