// What may come at once or in its time. A promise costs an order a turn and a tenth of its CPU time, so what is known at once goes
// on at once.

/** @returns {value is Promise<any>} */
export const isPromise = (value) => typeof value?.then === "function";

/**
 * What comes of a value: at once, or in its time if the value is a promise.
 * @template Value, Result
 * @param {Value | Promise<Value>} value
 * @param {(value: Value) => Result | Promise<Result>} next
 * @returns {Result | Promise<Result>}
 */
export const soon = (value, next) => (isPromise(value) ? Promise.resolve(value).then(next) : next(value));

/**
 * All values of a list: at once, or in their time if one is a promise.
 * @template {readonly any[]} Values
 * @param {Values} values
 * @returns {any}
 */
export const all = (values) => (values.some(isPromise) ? Promise.all(values) : values);

/**
 * What comes of `run`, or what `failed` makes of its failure.
 * @template Result
 * @param {() => Result | Promise<Result>} run
 * @param {(error: any) => Result | Promise<Result>} failed
 * @returns {Result | Promise<Result>}
 */
export function caught(run, failed) {
  try {
    const result = run();
    return isPromise(result) ? Promise.resolve(result).catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}
