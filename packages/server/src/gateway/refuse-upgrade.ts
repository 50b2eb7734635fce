import type { Duplex } from "node:stream";

/** For the operator of a proxy that sends sockets to the wrong node. */
export const NO_ROLE = "This node takes no sockets: its ROLES do not include gateway.\n";

/** Answers a request for a socket with this status and sentence, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: string, reason = ""): void {
  socket.on("error", () => socket.destroy());
  // Otherwise a client that does not close its side would keep the connection for as long as it likes, also while the server stops.
  socket.once("finish", () => socket.destroy());
  const type = reason === "" ? "" : "content-type: text/plain; charset=utf-8\r\n";
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\n${type}content-length: ${Buffer.byteLength(reason)}\r\n\r\n${reason}`,
  );
}
