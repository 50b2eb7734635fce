import { once } from "node:events";
import { Cmd } from "@parley/protocol/codes";
import { WebSocket } from "ws";

/** The login data of a socket. */
export interface SocketLogin {
  accessToken: string;
  devId: string;
  clientId: string;
  caps?: string[];
}

/** Opens a socket and logs in; resolves once the server has answered. `onFrame` gets every later frame. */
export async function openSocket(
  origin: string,
  login: SocketLogin,
  onFrame: (frame: Buffer) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/im`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  await once(socket, "open");
  const answer = once(socket, "message") as Promise<[Buffer]>;
  socket.send(JSON.stringify({ cmd: Cmd.LOGIN, data: login }));
  const [first] = await answer;
  if (!first.toString().startsWith(`{"cmd":${Cmd.LOGIN}`))
    throw new Error(`the socket login failed: ${first.toString()}`);
  socket.on("message", onFrame);
  return socket;
}
