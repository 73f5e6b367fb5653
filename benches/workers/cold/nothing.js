import given from "facts";
import firstUse from "../../cold/uses/nothing.js";
import { answering } from "../../cold/answering.js";

export default answering(firstUse, given);
