/** What a command could not do: one sentence for the person who typed it. */
export class Fault extends Error {}

/** What somebody typed is no right command: the exit code is 2. */
export class WrongUsage extends Fault {}

/** The texts that a store was asked for have more than it answers at once. */
export class TooLarge extends Fault {}
