/** What a command could not do: one sentence for the person who typed it. */
export class Fault extends Error {}
