/** Pinned messages: everybody in a chat finds them at its top. */
import { PINS_MAX } from "@parley/protocol/limits";
import type { Actor, Handlers } from "../../api/api-call.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Language } from "../../api/language.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChangeExtra } from "./change-extra.ts";
import type { ChatStrategies, ChatStrategy, MessageOf } from "./chat-strategy.ts";
import type { MessagesStore } from "./messages-store.ts";

export interface PinsDeps extends ChatStrategies {
  store: MessagesStore;
  changeExtra: ChangeExtra;
}

export function createPins({
  store,
  changeExtra,
  privateChats,
  groupChats,
}: PinsDeps): Pick<Handlers, "setPin" | "privatePins" | "groupPins"> {
  async function list<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    { actor: { userId }, language }: { actor: Actor; language: Language },
    targetId: number,
  ): Promise<{ messages: MessageOf<Kind>[]; unseen: number }> {
    await chats.requireReader(userId, targetId);
    const { rows, unseen } = await store.listPins(chats.type, userId, targetId);
    return { messages: await chats.view(userId, rows, language), unseen };
  }

  return {
    setPin: (call) => {
      const { id, on } = call.body;
      return changeExtra(call, id, {
        act: { kind: "pin", key: "", on },
        right: "pin",
        notPossible: "pin.notPossible",
        isSet: (before) => (before?.pin !== undefined) === on,
        async store(tx, before) {
          if (on && (await tx.countPins(id)) >= PINS_MAX)
            throw new ApiError("pin.tooMany", { max: PINS_MAX });
          return tx.setPin(id, on ? { by: call.actor.userId, at: call.now } : null, before);
        },
      });
    },
    privatePins: (call) => list(privateChats, call, call.query.friendId),
    groupPins: (call) => list(groupChats, call, call.query.groupId),
  };
}
