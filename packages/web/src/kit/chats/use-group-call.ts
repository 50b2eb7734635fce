import { groupPermission, hasGroupCall } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";
import { useText } from "../i18n/i18n.ts";
import type { TextId } from "../i18n/i18n.ts";
import { openDialog } from "../dialogs/open-dialog.ts";
import { useClient, useClientState } from "../loading/use-client.ts";

/** What a button for calls in a group shows and does. */
export interface GroupCallControl {
  readonly can: Exclude<GroupCallState, "never">;
  /** Says what the button does, or why that is not possible. */
  readonly label: string;
  readonly isPossible: boolean;
  press(): void;
}

/** Calls members of a group, or joins its running call; null where nothing can be done in the group. */
export function useGroupCall(groupId: number): GroupCallControl | null {
  const t = useText();
  const client = useClient();
  const can = useClientState((state) => groupCallState(state, groupId));
  if (can === "never") return null;
  return {
    can,
    label: t(LABELS[can]),
    isPossible: can === "start" || can === "join",
    press() {
      if (can === "join") client.calls.joinGroup(groupId);
      if (can === "start") openDialog({ kind: "callMembers", groupId, how: "start" });
    },
  };
}

const LABELS = {
  start: "groupCall.start",
  join: "groupCall.join",
  inCall: "groupCall.startInCall",
  muted: "groupCall.startMuted",
  allMuted: "groupCall.startAllMuted",
} as const satisfies Record<string, TextId>;

/** What a person can do about calls in a group: a call, or why not. Muted members may not call either (protocol §10). */
type GroupCallState =
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
