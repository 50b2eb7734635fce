import { groupPermission, hasGroupCall } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";

/** What a person can do about calls in a group: a call, or why not. Muted members may not call either (protocol §10). */
export type GroupCallState =
  | "start"
  /** A call is running. */
  | "join"
  /** This page is in a call, and a page is in one at most. */
  | "inCall"
  | "muted"
  | "allMuted"
  /** Nothing can be done in the group; the place of the composer says why. */
  | "never";

/** What can be done about calls in a group. */
export function groupCallState(state: Pick<State, "groups" | "call">, groupId: number): GroupCallState {
  const permission = groupPermission(state, groupId, "speak");
  if (permission === "muted" || permission === "allMuted") return permission;
  if (permission !== "ok") return "never";
  if (state.call !== null) return "inCall";
  return hasGroupCall(state, groupId) ? "join" : "start";
}
