/** Who hears of a new message of a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Store } from "../../ports/store.ts";
import { groupMessage } from "../../rules/groups.ts";
import { viewGroupRows, withMaskedQuote } from "./group-view.ts";
import type { Rooms } from "./rooms.ts";

export interface GroupTelling {
  /**
   * One text serves the answer and every push: a new row reads the same for everybody but those who came later than what it quotes.
   * `except`: people who are not to hear of it.
   */
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
      // Asked after who is in: nobody among those is overlooked.
      const late = row.quote === null ? [] : await store.listGroupLatecomers(row.groupId, row.quote.id);
      delivery.toOthersOf(actor, without(ids, [...except, ...late]), frameOfJson(Cmd.GROUP, json));
      // An edit is nothing to somebody who does not have the message.
      if (late.length > 0 && row.type !== MessageType.EDIT) {
        const masked = JSON.stringify(groupMessage(withMaskedQuote(row)));
        delivery.toOthersOf(actor, without(late, except), frameOfJson(Cmd.GROUP, masked));
      }
      return new Encoded(json);
    },
    async asItStands(row) {
      const [message] = await viewGroupRows(store, row.sendId, [row]);
      return new Encoded(JSON.stringify(message));
    },
  };
}

function without(ids: readonly number[], except: readonly number[]): readonly number[] {
  if (except.length === 0) return ids;
  const left = new Set(except);
  return ids.filter((id) => !left.has(id));
}
