// A server whose answers are chunks of one byte, without an end.
import net from "node:net";
import { allAtNight } from "../effort.js";
import { listen } from "../ports.js";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
const BLOCK = Buffer.from("1\r\n \r\n".repeat(10_000));
/** A change is judged by an answer that goes on and on, the night by one that floods. */
const PAUSE_MS = allAtNight(100, 0);

/** Starts it. `asked` counts the requests, `open()` says how many connections there are. */
export async function startCrumbs() {
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      service.asked += 1;
      socket.write(HEAD);
      const pour = () => {
        while (socket.writable && socket.write(BLOCK));
      };
      socket.on("drain", () => setTimeout(pour, PAUSE_MS));
      pour();
    });
  });
  const service = {
    url: await listen(server),
    asked: 0,
    open: () => sockets.size,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return service;
}
