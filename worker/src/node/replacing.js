/** The variable of a process that is started to replace another one. */
export const REPLACING = "ORDER_COST_REPLACING";
