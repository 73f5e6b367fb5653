// Customers of the shadow Worker: connections that are kept, as those of browsers and servers are.
import http from "node:http";

const agent = new http.Agent({ keepAlive: true });

/**
 * Sends an order. workerd may close a waiting connection just as it is used again: every HTTP client then takes a new one.
 * @returns {Promise<{ status: number, headers: Record<string, string>, body: string }>}
 */
export async function send(url, headers, order) {
  const body = JSON.stringify(order);
  try {
    return await exchange(url, headers, body, agent);
  } catch (error) {
    if (!error.isReused) throw error;
    return exchange(url, headers, body, false);
  }
}

function exchange(url, headers, body, via) {
  return new Promise((resolve, reject) => {
    const lost = (error) => reject(Object.assign(error, { isReused: request.reusedSocket }));
    const options = { method: "POST", agent: via, headers: { ...headers, "content-length": Buffer.byteLength(body) } };
    const request = http.request(url, options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: `${Buffer.concat(chunks)}` }));
      response.on("error", lost);
    });
    request.on("error", lost);
    request.end(body);
  });
}

/** Works through a list, `most` items at once. */
export async function inParallel(list, most, progress, work) {
  let taken = 0;
  let done = 0;
  const worker = async () => {
    while (taken < list.length) {
      const index = taken++;
      await work(list[index], index);
      progress(++done, list.length);
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
}
