// What the commands share: counts, faults, the terminal.
export { commandOf } from "./command.js";
export { count, megabytes, moment, some } from "./count.js";
export { codeOf, Fault, isOfSystem, messageOf, TooLarge, WrongUsage } from "./fault.js";
export { FaultList } from "./fault-list.js";
export { goWhereNpmWasCalled, swallowedByNpm } from "./npm.js";
export { Pace } from "./pace.js";
export { processSurroundings } from "./surroundings.js";
export { Terminal } from "./terminal.js";
