/**
 * The minimal `ws` server with which idle sockets are compared: it checks the signature of the token in the login frame once, answers, and
 * remembers nothing but the token.
 */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { tokenChecker } from "./token.ts";

const { PORT, HOST, SECRET = "" } = process.env;
const check = tokenChecker(SECRET);
const server = createServer((_request, response) => response.end("ready"));
const sockets = new WebSocketServer({ server, path: "/im", perMessageDeflate: false });

sockets.on("connection", (socket) => {
  socket.once("message", (data: Buffer) => {
    const login = JSON.parse(data.toString()) as { data: { accessToken: string } };
    if (check(login.data.accessToken) === undefined) return socket.close(4002);
    socket.send('{"cmd":0,"data":{"epoch":"reference"}}');
  });
});

server.listen(Number(PORT), HOST);
process.on("SIGTERM", () => {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  server.close();
});
