/**
 * Whether a value is an object with members: no list.
 * @returns {value is Record<string, any>}
 */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
