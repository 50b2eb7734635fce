/** Who hears of a new message of a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupMessage } from "@parley/protocol/message";
import { type Delivery, frameOfJson } from "../../delivery.ts";
import { type Actor, Encoded } from "../../ports/call.ts";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Language } from "../../ports/language.ts";
import type { Store } from "../../ports/store.ts";
import type { Appended } from "../../ports/stored.ts";
import { groupMessage } from "../../rules/groups.ts";
import { viewGroupRows, withMaskedQuote, withQuotedText } from "./group-view.ts";
import type { Room, Rooms } from "./rooms.ts";

export interface GroupTelling {
  /**
   * One text serves the answer and every push: a new row reads the same for everybody but those who came later than what it quotes, or
   * have missed an edit of it, or where that was taken back. `language`: of the answer. Heard by those who were in when it was stored and still are.
   */
  tellNew(
    actor: Actor,
    stored: Appended<GroupMessageRow>,
    language: Language,
  ): Promise<Encoded<GroupMessage>>;
  /** For its sender. */
  asItStands(row: GroupMessageRow, language: Language): Promise<Encoded<GroupMessage>>;
}

export interface GroupTellingDeps {
  store: Store;
  delivery: Pick<Delivery, "toOthersOf">;
  rooms: Rooms;
  /** Pushes are written in it. */
  defaultLanguage: Language;
}

export function createGroupTelling({
  store,
  delivery,
  rooms,
  defaultLanguage,
}: GroupTellingDeps): GroupTelling {
  return {
    async tellNew(actor, { row, memberChanges, except = [] }, language) {
      const json = JSON.stringify(groupMessage(row, defaultLanguage));
      const { room, late, former } = await findHearers(row, memberChanges);
      const ids = room === undefined ? [] : thereFor(room, row.id);
      const others = [...except, ...late, ...former.keys()];
      delivery.toOthersOf(actor, without(ids, others), frameOfJson(Cmd.GROUP, json));
      // An edit is nothing to somebody who does not have the message.
      if (late.length > 0 && row.type !== MessageType.EDIT) {
        const masked = JSON.stringify(groupMessage(withMaskedQuote(row), defaultLanguage));
        delivery.toOthersOf(actor, without(late, except), frameOfJson(Cmd.GROUP, masked));
      }
      for (const [content, userIds] of Map.groupBy(former.keys(), (userId) => former.get(userId) ?? null)) {
        const own = JSON.stringify(groupMessage(withQuotedText(row, content), defaultLanguage));
        delivery.toOthersOf(actor, without(userIds, except), frameOfJson(Cmd.GROUP, own));
      }
      const mine = former.get(row.sendId);
      if (mine !== undefined)
        return new Encoded(JSON.stringify(groupMessage(withQuotedText(row, mine), language)));
      return new Encoded(row.quote?.isRecalled ? JSON.stringify(groupMessage(row, language)) : json);
    },
    async asItStands(row, language) {
      // Read again: as its sender was there for what it quotes.
      const [message] = await viewGroupRows(
        store,
        row.sendId,
        await store.listGroupMessages(row.sendId, [row.id]),
        language,
      );
      return new Encoded(JSON.stringify(message));
    },
  };

  /** Who is in may have changed before the row was stored and not be told yet; and, where it quotes, while it is asked who sees the quote. */
  async function findHearers(row: GroupMessageRow, memberChanges = 0): Promise<Hearers> {
    for (let known = memberChanges; ;) {
      const found = rooms.find(row.groupId, known);
      const room = found instanceof Promise ? await found : found;
      if (row.quote === null) return { room, late: [], former: new Map() };
      const latecomers = await store.listGroupLatecomers(row.groupId, row.quote.id);
      const late = latecomers.filter((userId) => isThereFor(room, userId, row.id));
      const former = await formerTexts(room, row);
      const now = await store.memberChanges(row.groupId);
      if (now <= known) return { room, late, former };
      known = now;
    }
  }

  /** By person; an edit is news to everybody who is there. */
  async function formerTexts(
    room: Room | undefined,
    { id, groupId, type, quote }: GroupMessageRow,
  ): Promise<Map<number, string | null>> {
    if (quote === null || type === MessageType.EDIT) return new Map();
    const found = await store.listGroupFormerTexts(groupId, quote.id);
    const there = found.filter(({ userId }) => isThereFor(room, userId, id));
    return new Map(there.map(({ userId, content }) => [userId, content]));
  }
}

interface Hearers {
  room: Room | undefined;
  /** Who came after what the row quotes. */
  late: readonly number[];
  /** Who knows another text of what it quotes, and which. */
  former: ReadonlyMap<number, string | null>;
}

/** Who is in, but for those who came while the row was stored: it was written before them. */
function thereFor(room: Room, id: number): readonly number[] {
  if (room.newestStayFrom < id) return room.memberIds;
  return room.memberIds.filter((userId) => isThereFor(room, userId, id));
}

function isThereFor(room: Room | undefined, userId: number, id: number): boolean {
  const member = room?.members.get(userId);
  return member !== undefined && !member.quit && member.stayFrom < id;
}

function without(ids: readonly number[], except: readonly number[]): readonly number[] {
  if (except.length === 0) return ids;
  const left = new Set(except);
  return ids.filter((id) => !left.has(id));
}
