import type { PushData } from "@parley/protocol/frame";
import type { CallActions, Notice } from "../client-api.ts";
import type { SessionOutside, Scope } from "../session-scope.ts";

/** The calls of one session. */
export interface CallService {
  readonly actions: CallActions;
  receive(data: PushData): void;
  wentOnline(): void;
  wentOffline(): void;
  leave(): void;
}

/** What calls need of the session. */
export interface CallServiceDeps extends SessionOutside {
  readonly session: Scope;
  readonly me: number;
  notify(notice: Notice): void;
  /** Connects the socket at once instead of after 15 s. */
  reconnectNow(): void;
  /** The code of calls could not be loaded. */
  onLoadFailure(): void;
}
