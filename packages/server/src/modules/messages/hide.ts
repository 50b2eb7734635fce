/** What a person takes out of the own sight: single messages of a chat, or everything up to now. Nobody else's copy changes. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { Cap } from "@parley/protocol/frame";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor, Handlers } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";

const CAP: Cap = "changes";

export interface HideDeps {
  store: Store;
  delivery: Delivery;
}

export function createHide({
  store,
  delivery,
}: HideDeps): Pick<Handlers, "deletePrivateMessages" | "deleteGroupMessages" | "flushAllMessages"> {
  /** The person's other clients ask what changed; those that do not know the word are left alone. */
  const tellChanged = (actor: Actor) => {
    const { userId } = actor;
    const signal = { type: MessageType.CHANGES, sendId: userId, recvId: userId, content: "" };
    delivery.toOwnOthers(actor, frameOf(Cmd.PRIVATE, signal), CAP);
  };

  return {
    async deletePrivateMessages({ actor, body }) {
      const { friendId, ids } = body;
      if (await store.write((tx) => tx.hidePrivate(actor.userId, friendId, ids))) tellChanged(actor);
      return null;
    },

    async deleteGroupMessages({ actor, body }) {
      const { groupId, ids } = body;
      if (await store.write((tx) => tx.hideGroup(actor.userId, groupId, ids))) tellChanged(actor);
      return null;
    },

    async flushAllMessages({ actor }) {
      await store.write((tx) => tx.clearMessages(actor.userId));
      tellChanged(actor);
      return null;
    },
  };
}
