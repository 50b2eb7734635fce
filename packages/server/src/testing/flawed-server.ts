/** The server as main.ts starts it, but with flaws that batteries must find; `FLAWS` names them. */
import { ServerResponse } from "node:http";
import { GatewaySocket } from "../gateway/gateway-socket.ts";

const flaws = new Set(process.env["FLAWS"]?.split(","));
const sockets = new Set<GatewaySocket>();
const retained: unknown[] = [];
/** So many frames pass before something goes wrong once. */
const EVERY_FRAMES = 500;
const RETAINED_BYTES = 2_000;
let frames = 0;

function corruptFrame(socket: GatewaySocket, data: Buffer): void {
  frames++;
  const isTime = frames % EVERY_FRAMES === 0;
  if (flaws.has("keeps frames")) retained.push(Array.from({ length: RETAINED_BYTES }, () => data));
  if (flaws.has("logs frames"))
    process.stdout.write(`${JSON.stringify({ level: 20, msg: data.toString() })}\n`);
  if (flaws.has("answers twice") && isTime) socket.send('{"cmd":1,"data":null}');
  if (flaws.has("closes others") && isTime) [...sockets].find((other) => other !== socket)?.terminate();
  if (flaws.has("crashes") && isTime) {
    setImmediate(() => {
      throw new Error("a frame too many");
    });
  }
}

// oxlint-disable-next-line typescript/unbound-method -- called with its socket.
const { listen } = GatewaySocket.prototype;
GatewaySocket.prototype.listen = function listenBadly(owner) {
  sockets.add(this);
  this.on("close", () => sockets.delete(this));
  this.on("message", (data: Buffer) => corruptFrame(this, data));
  listen.call(this, owner);
};

/** So many answers are right before one is not. */
const EVERY_RESPONSES = 150;
let answers = 0;

// oxlint-disable-next-line typescript/unbound-method -- called with its answer.
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function endBadly(this: ServerResponse, ...given: unknown[]) {
  const isTime = ++answers % EVERY_RESPONSES === 0;
  if (flaws.has("answers nonsense") && isTime && typeof given[0] === "string")
    given[0] = "x".repeat(given[0].length);
  if (flaws.has("logs paths")) process.stdout.write(`${JSON.stringify({ level: 20, msg: this.req.url })}\n`);
  return end.apply(this, given as Parameters<typeof end>);
} as typeof end;

await import("../main.ts");
