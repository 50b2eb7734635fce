import type { Client } from "./client-api.ts";
import { createClientWith } from "./client-with.ts";
import { LATE_PARTS } from "./late-parts.ts";
import type { Ports } from "./ports.ts";
import { createRoom, type RoomOptions } from "./room.ts";

/** Makes a client with everything at hand. Nothing happens before `session.resume()` or `session.login()`. */
export function createClient(ports: Ports, options: RoomOptions = {}): Client {
  return createClientWith(ports, {
    create: (deps) => createRoom({ ...deps, ...options, late: { parts: LATE_PARTS } }),
  });
}
