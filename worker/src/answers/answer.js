// Answers of the service, whatever sends them.

/** @typedef {{ status: number, headers: Record<string, string>, body: Uint8Array<ArrayBuffer> | string | null }} Answer */

/** @returns {Answer} */
export const answerOf = (status, body, headers) => ({ status, headers, body });

/** @returns {Answer} */
export const jsonAnswer = (status, content, headers) =>
  answerOf(status, JSON.stringify(content), { "content-type": "application/json", ...headers });

/** @param {Answer} answer */
export const responseOf = ({ status, headers, body }) => new Response(body, { status, headers });
