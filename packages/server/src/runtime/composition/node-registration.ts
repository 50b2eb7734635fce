import { randomUUID } from "node:crypto";
import { PROTOCOL_VERSION } from "@parley/protocol/version";
import type { Role } from "../../config/config.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { NodeRow, ServerStateWrites } from "../../ports/server-state-store.ts";
import type { Transactions } from "../../ports/store.ts";

/** A node that was killed comes back as another one, so its row must not look like a loss for long. */
const FORGET_NODE_MS = 15 * 60_000;

/** The row by which other nodes and administrators know of this one. */
export interface NodeRegistration {
  row(): NodeRow;
  /** Says in the database that it is there. */
  save(): Promise<void>;
  remove(): Promise<void>;
}

/** What a registration needs. */
export interface NodeRegistrationDeps {
  nodeName: string;
  roles: readonly Role[];
  /** Epoch milliseconds. */
  startedAt: number;
  now(): number;
  store: Transactions<ServerStateWrites>;
  gateway: Pick<Gateway, "socketCount" | "userCount">;
}

/** Creates the registration of a node, which gets a new id. */
export function createNodeRegistration({
  nodeName,
  roles,
  startedAt,
  now,
  store,
  gateway,
}: NodeRegistrationDeps): NodeRegistration {
  // A server that starts again under its name is another one: the old row is that of a process that may have died.
  const id = `${nodeName}-${randomUUID().slice(0, 8)}`;
  const row = () => ({
    id,
    roles: [...roles],
    version: PROTOCOL_VERSION,
    startedAt,
    seenAt: now(),
    sockets: gateway.socketCount(),
    people: gateway.userCount(),
  });
  return {
    row,
    save: () => store.write((tx) => tx.saveNode(row(), now() - FORGET_NODE_MS)),
    remove: () => store.write((tx) => tx.removeNode(id)),
  };
}
