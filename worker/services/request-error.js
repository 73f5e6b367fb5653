/** The request cannot be answered as it stands; the message says why, for the caller to read. */
export class RequestError extends Error {}
