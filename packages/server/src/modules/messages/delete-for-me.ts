/** Deletes messages for one person only: single messages of a chat, or everything up to now. Other people keep their copies. */
import type { Capability } from "@parley/protocol/frame";
import { type Delivery, changesFrame } from "../../delivery/delivery.ts";
import type { Actor, Handlers } from "../../api/api-call.ts";
import type { Transactions } from "../../ports/store.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategies, ChatStrategy } from "./chat-strategy.ts";
import type { MessagesTx } from "./messages-store.ts";

const REQUIRED_CAPABILITY: Capability = "changes";

export interface DeleteForMeDeps extends ChatStrategies {
  store: Transactions<MessagesTx>;
  delivery: Delivery;
}

export function createDeleteForMe({
  store,
  delivery,
  privateChats,
  groupChats,
}: DeleteForMeDeps): Pick<Handlers, "deletePrivateMessages" | "deleteGroupMessages" | "flushAllMessages"> {
  /** Tells the person's other clients to load the changes. Clients without the capability get nothing. */
  const notifyOwnDevices = (actor: Actor) => {
    const { userId } = actor;
    delivery.toOwnOthers(actor, changesFrame(userId, ""), REQUIRED_CAPABILITY);
  };

  async function hide<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    actor: Actor,
    targetId: number,
    ids: readonly number[],
  ): Promise<null> {
    if (await store.write((tx) => tx.hideMessages(chats.type, actor.userId, targetId, ids)))
      notifyOwnDevices(actor);
    return null;
  }

  return {
    deletePrivateMessages: ({ actor, body }) => hide(privateChats, actor, body.friendId, body.ids),

    deleteGroupMessages: ({ actor, body }) => hide(groupChats, actor, body.groupId, body.ids),

    async flushAllMessages({ actor }) {
      await store.write((tx) => tx.clearMessages(actor.userId));
      notifyOwnDevices(actor);
      return null;
    },
  };
}
