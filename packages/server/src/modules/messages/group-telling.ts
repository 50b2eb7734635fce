/** Who hears of a new message of a group. */
import { Cmd } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Store } from "../../ports/store.ts";
import { groupMessage } from "../../rules/groups.ts";
import { viewGroupRows } from "./group-view.ts";
import type { Rooms } from "./rooms.ts";

export interface GroupTelling {
  /** One text serves the answer and every push: a new row reads the same for everybody. `except`: people who are not to hear of it. */
  tellNew(actor: Actor, row: GroupMessageRow, except?: readonly number[]): Promise<Encoded<GroupMessage>>;
  /** For its sender. */
  asItStands(row: GroupMessageRow): Promise<Encoded<GroupMessage>>;
}

export interface GroupTellingDeps {
  store: Store;
  delivery: Pick<Delivery, "toOthersOf">;
  rooms: Rooms;
}

export function createGroupTelling({ store, delivery, rooms }: GroupTellingDeps): GroupTelling {
  return {
    async tellNew(actor, row, except = []) {
      const json = JSON.stringify(groupMessage(row));
      // Asked again: who is in may have changed while the row was stored.
      const found = rooms.find(row.groupId);
      const room = found instanceof Promise ? await found : found;
      const ids = room?.memberIds ?? [];
      const readers = except.length === 0 ? ids : ids.filter((id) => !except.includes(id));
      delivery.toOthersOf(actor, readers, frameOfJson(Cmd.GROUP, json));
      return new Encoded(json);
    },
    async asItStands(row) {
      const [message] = await viewGroupRows(store, row.sendId, [row]);
      return new Encoded(JSON.stringify(message));
    },
  };
}
