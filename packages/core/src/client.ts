import type { Client } from "./client-api.ts";
import { assembleClient } from "./assemble-client.ts";
import type { Ports } from "./ports.ts";
import { createSignedInClient, type SignedInClientOptions } from "./signed-in-client.ts";

/** Creates a client. It does nothing before `session.resume()` or `session.login()`. */
export function createClient(ports: Ports, options: SignedInClientOptions = {}): Client {
  return assembleClient(ports, (deps) => createSignedInClient({ ...deps, ...options }));
}
