/** Deletes messages for one person only: single messages of a chat, or everything up to now. Other people keep their copies. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { Capability } from "@parley/protocol/frame";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor, Handlers } from "../../calls/call.ts";
import type { Store } from "../../ports/store.ts";

const REQUIRED_CAPABILITY: Capability = "changes";

export interface DeleteForMeDeps {
  store: Store;
  delivery: Delivery;
}

export function createDeleteForMe({
  store,
  delivery,
}: DeleteForMeDeps): Pick<Handlers, "deletePrivateMessages" | "deleteGroupMessages" | "flushAllMessages"> {
  /** Tells the person's other clients to load the changes. Clients without the capability get nothing. */
  const notifyOwnDevices = (actor: Actor) => {
    const { userId } = actor;
    const signal: PrivateSignal = { type: MessageType.CHANGES, sendId: userId, recvId: userId, content: "" };
    delivery.toOwnOthers(actor, frameOf(Cmd.PRIVATE, signal), REQUIRED_CAPABILITY);
  };

  return {
    async deletePrivateMessages({ actor, body }) {
      const { friendId, ids } = body;
      if (await store.write((tx) => tx.hidePrivateMessages(actor.userId, friendId, ids)))
        notifyOwnDevices(actor);
      return null;
    },

    async deleteGroupMessages({ actor, body }) {
      const { groupId, ids } = body;
      if (await store.write((tx) => tx.hideGroupMessages(actor.userId, groupId, ids)))
        notifyOwnDevices(actor);
      return null;
    },

    async flushAllMessages({ actor }) {
      await store.write((tx) => tx.clearMessages(actor.userId));
      notifyOwnDevices(actor);
      return null;
    },
  };
}
