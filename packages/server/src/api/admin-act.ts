/** The interface between those who call for an administrator (HTTP, the command line) and the use cases. */
import type { AuditTarget, OTHER_AUDIT_ACTIONS } from "@parley/protocol/admin-entities";
import type { AnswerOf, BodyOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";

/** The calls for which one must be an administrator. */
export type AdminEndpointName = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name]["auth"] extends "admin" ? Name : never;
}[EndpointName];

/** What an act is done to. */
export interface ActTarget {
  kind: AuditTarget;
  id: number | null;
  name: string | null;
}

/** Who acts as an administrator, and from where. */
export interface AdminActor {
  /** Null: the command line. */
  actorId: number | null;
  /** Null: the command line. */
  address: string | null;
}

/** Somebody on the server's machine. */
export const COMMAND_LINE: AdminActor = { actorId: null, address: null };

/** One act of an administrator. A use case records it in the transaction in which it happens. */
export interface Act extends AdminActor {
  action: AdminEndpointName | (typeof OTHER_AUDIT_ACTIONS)[number];
  /** Whether it changes nothing. */
  isLook: boolean;
  target: ActTarget | null;
  /** Epoch milliseconds. */
  at: number;
}

/** What a call for administrators gets. */
export interface AdminInput<Name extends AdminEndpointName> {
  query: QueryOf<(typeof ENDPOINTS)[Name]>;
  body: BodyOf<(typeof ENDPOINTS)[Name]>;
}

/** The use cases of administrators. Each that changes something records its act. */
export type AdminHandlers = {
  readonly [Name in AdminEndpointName]: (
    act: Act,
    input: AdminInput<Name>,
  ) => Promise<AnswerOf<(typeof ENDPOINTS)[Name]>>;
};
