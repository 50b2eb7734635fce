import type { GatewaySocket } from "./gateway-socket.ts";

/** A pull continues when less than this is buffered in its socket. */
const DRAINED_BYTES = 1_048_576;

/** Waits for the first socket that drains or closes. A socket that does not drain delays no other: it is closed when too much is buffered. */
export function waitUntilDrained(sockets: readonly GatewaySocket[]): Promise<void> {
  const open = sockets.flatMap(({ raw }) => (raw === undefined || raw.destroyed ? [] : [raw]));
  if (open.length === 0 || open.some((raw) => raw.writableLength < DRAINED_BYTES)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const raw of open) raw.off("drain", done).off("close", done);
      resolve();
    };
    for (const raw of open) raw.on("drain", done).on("close", done);
  });
}
