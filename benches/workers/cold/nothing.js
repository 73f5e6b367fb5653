import given from "facts";
import { answering } from "../../cold/answering.js";
import firstUse from "../../cold/uses/nothing.js";

export default answering(firstUse, given);
