import type { UserInfo } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { useClientState } from "../../kit/use-client.ts";

/** Me, while I have neither friends nor groups, nor ever had any; null: somebody who is at home here, or it is not known yet. */
export function newcomerOf({
  me,
  contacts,
  groups,
}: Pick<State, "me" | "contacts" | "groups">): UserInfo | null {
  if (me === null || !contacts.isLoaded || !groups.isLoaded) return null;
  // My own row pins the notes to myself.
  const hasFriends = Object.keys(contacts.friends).some((id) => Number(id) !== me.id);
  return hasFriends || Object.keys(groups.byId).length > 0 ? null : me;
}

export function useNewcomer(): UserInfo | null {
  return useClientState(newcomerOf);
}
