/** The request is invalid. The message tells the caller why. */
export class RequestError extends Error {}
