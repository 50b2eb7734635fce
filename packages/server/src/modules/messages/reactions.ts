/** Reactions to messages. */
import { REACTION_KEYS_MAX, REACTIONS_PER_PERSON } from "@parley/protocol/limits";
import type { MessageExtra } from "@parley/protocol/message-extra";
import type { Handlers } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import { type ChangeExtra, findSeen } from "./change-extra.ts";
import { listPeople } from "./list-people.ts";
import type { MessagesStore } from "./messages-store.ts";

export interface ReactionsDeps {
  store: MessagesStore;
  changeExtra: ChangeExtra;
}

export function createReactions({
  store,
  changeExtra,
}: ReactionsDeps): Pick<Handlers, "setReaction" | "listReactions"> {
  return {
    setReaction: (call) => {
      const { id, key, on } = call.body;
      const { userId } = call.actor;
      return changeExtra(call, id, {
        act: { kind: "reactions", key, on },
        right: "react",
        notPossible: "reaction.notPossible",
        isSet: (before) => (before?.mine?.reactions ?? []).includes(key) === on,
        store(tx, before) {
          if (on) requireRoom(before, key);
          const choice = { kind: "reactions", messageId: id, userId, key, on, at: call.now } as const;
          return tx.changeTally(choice, before);
        },
      });
    },

    async listReactions({ actor, query: { id, key, after } }) {
      const { PRIVATE, GROUP } = await findSeen(store, actor.userId, id);
      if (PRIVATE === undefined && GROUP === undefined) throw new ApiError("message.notFound");
      return listPeople(store, "reactions", id, key, after);
    },
  };
}

/** Throws if no further reaction with this key fits. */
function requireRoom(extra: MessageExtra | undefined, key: string): void {
  if ((extra?.mine?.reactions ?? []).length >= REACTIONS_PER_PERSON)
    throw new ApiError("reaction.tooMany", { max: REACTIONS_PER_PERSON });
  const tallies = extra?.reactions ?? [];
  if (tallies.length >= REACTION_KEYS_MAX && !tallies.some((tally) => tally.key === key))
    throw new ApiError("reaction.tooManyKinds", { max: REACTION_KEYS_MAX });
}
