/** What a command could not do: one sentence for the person who typed it. */
export class Fault extends Error {}

/** What somebody typed is no right command: the exit code is 2. */
export class WrongUsage extends Fault {}

/** The texts that a store was asked for have more than it answers at once. */
export class TooLarge extends Fault {}

/**
 * Whether the system refuses something: a full disk, no permission.
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
export const isOfSystem = (error) => error instanceof Error && "syscall" in error;

/**
 * The code that Node.js or a library gives an error.
 * @param {unknown} error
 */
export const codeOf = (error) => (error instanceof Error && "code" in error ? error.code : undefined);

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : `${error}`);
