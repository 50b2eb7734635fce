/** Starts main.ts with the flaws that the variable `FLAWS` names. A battery must find each of them. */
import { ServerResponse } from "node:http";
import { GatewaySocket } from "@parley/server/gateway/gateway-socket";

const flaws = new Set(process.env["FLAWS"]?.split(","));
const sockets = new Set<GatewaySocket>();
const retained: unknown[] = [];
/** One frame of this many goes wrong. */
const EVERY_FRAMES = 500;
const RETAINED_BYTES = 2_000;
let frames = 0;

function applyFlaws(socket: GatewaySocket, data: Buffer): void {
  frames++;
  const isDue = frames % EVERY_FRAMES === 0;
  if (flaws.has("keeps frames")) retained.push(Array.from({ length: RETAINED_BYTES }, () => data));
  if (flaws.has("logs frames"))
    process.stdout.write(`${JSON.stringify({ level: 20, msg: data.toString() })}\n`);
  if (flaws.has("answers twice") && isDue) socket.send('{"cmd":1,"data":null}');
  if (flaws.has("closes others") && isDue) [...sockets].find((other) => other !== socket)?.terminate();
  if (flaws.has("crashes") && isDue) {
    setImmediate(() => {
      throw new Error("a planted crash");
    });
  }
}

// oxlint-disable-next-line typescript/unbound-method -- it is called with its socket.
const { listen } = GatewaySocket.prototype;
GatewaySocket.prototype.listen = function listenWithFlaws(owner) {
  sockets.add(this);
  this.on("close", () => sockets.delete(this));
  this.on("message", (data: Buffer) => applyFlaws(this, data));
  listen.call(this, owner);
};

/** One answer of this many is wrong. */
const EVERY_RESPONSES = 150;
/** A planted leak outside the heap: this much for each answer. */
const RETAINED_ANSWER_BYTES = 300_000;
let answers = 0;

// oxlint-disable-next-line typescript/unbound-method -- it is called with its response.
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function endWithFlaws(this: ServerResponse, ...args: unknown[]) {
  const isDue = ++answers % EVERY_RESPONSES === 0;
  if (flaws.has("answers nonsense") && isDue && typeof args[0] === "string")
    args[0] = "x".repeat(args[0].length);
  if (flaws.has("keeps answers")) retained.push(Buffer.alloc(RETAINED_ANSWER_BYTES, 1));
  if (flaws.has("logs paths")) process.stdout.write(`${JSON.stringify({ level: 20, msg: this.req.url })}\n`);
  return end.apply(this, args as Parameters<typeof end>);
} as typeof end;

await import("@parley/server/main");
