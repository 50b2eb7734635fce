import type { UserInfo } from "@parley/protocol/entities";
import type { State } from "@parley/core/model/state";
import { useClientState } from "../../kit/loading/use-client.ts";

/** The signed-in user if they have never had a friend or a group; null otherwise, or while that is not known. */
export function newcomerOf({
  me,
  contacts,
  groups,
}: Pick<State, "me" | "contacts" | "groups">): UserInfo | null {
  if (me === null || !contacts.isLoaded || !groups.isLoaded) return null;
  // My own row is the placeholder friend that pins the chat with myself.
  const hasFriends = Object.keys(contacts.friends).some((id) => Number(id) !== me.id);
  return hasFriends || Object.keys(groups.byId).length > 0 ? null : me;
}

/** The signed-in user if they are a newcomer, otherwise null. */
export function useNewcomer(): UserInfo | null {
  return useClientState(newcomerOf);
}
