/** Settings that need no restart, and the nodes of the server: the part of `store.ts` for them. */

/** A node, as it last said. */
export interface NodeRow {
  id: string;
  roles: string[];
  /** `PROTOCOL_VERSION`. */
  version: number;
  startedAt: number;
  seenAt: number;
  sockets: number;
  /** People with a socket. */
  people: number;
}

/** What is read about settings and nodes. */
export interface ServerStateReads {
  /** The values that were set, as JSON, by name. */
  listSettings(): Promise<Map<string, string>>;
  /** In the order in which they started. */
  listNodes(): Promise<NodeRow[]>;
}

/** What a transaction writes about settings and nodes. */
export interface ServerStateWrites {
  /** Null removes the value. */
  setSetting(name: string, json: string | null): Promise<void>;
  /** Inserts the node, or replaces what it said before. Removes those that were not seen since `forgetBefore`. */
  saveNode(node: NodeRow, forgetBefore: number): Promise<void>;
  removeNode(id: string): Promise<void>;
}
