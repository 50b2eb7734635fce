/** Reads the committed messages, independently of the product's queries: which text belongs to which chat, and who may see it. */
import type Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";

/** Every text begins with a tag of its chat, so that it is recognised wherever it appears. */
const TAG = /\b(?:p(\d+)-(\d+)|g(\d+))#\d+\b/g;

const EXTRA_PUSH = new RegExp(`"type":${MessageType.EXTRA},"messageId":(\\d+)`, "g");

/** The text of message `n` in a private chat. */
export function privateTag(a: number, b: number, n: number): string {
  return `p${Math.min(a, b)}-${Math.max(a, b)}#${n}`;
}

/** The text of message `n` in a group. */
export function groupTag(group: number, n: number): string {
  return `g${group}#${n}`;
}

interface Row {
  id: number;
  type: number;
  chatId: number;
  sendId: number;
  recvId: number;
  content: string;
  quoteId: number | null;
}

interface RegisteredText {
  /** The id of the message that shows it. */
  id: number;
  /** The people of its private chat; null for a group. */
  people: readonly number[] | null;
  group: number;
}

/** All committed texts. */
export interface MessageRegistry {
  /** Reads what was committed since the last call and returns the violations. */
  sync(): string[];
  /** Notes the text of a requested edit. */
  noteEdit(text: string): void;
  /** The violations if this person gets this frame or answer. */
  findMisplaced(userId: number, text: string): string[];
}

/** Creates an empty registry. */
export function createMessageRegistry(rawDb: Database.Database): MessageRegistry {
  const texts = new Map<string, RegisteredText>();
  const edits = new Set<string>();
  let readUpTo = 0;
  const rowsAfter = rawDb.prepare<[number], Row>(
    "select id, type, chatId, sendId, recvId, content, quoteId from message where id > ? order by id",
  );
  const chatOf = rawDb.prepare<[number], Pick<Row, "chatId" | "sendId" | "recvId">>(
    "select chatId, sendId, recvId from message where id = ?",
  );
  const stay = rawDb.prepare<[number, number, number, number], { nth: number }>(
    "select nth from groupStay where groupId = ? and userId = ? and fromId < ? and (toId is null or toId >= ?)",
  );

  function read(problems: string[]): void {
    for (const row of rowsAfter.all(readUpTo)) {
      readUpTo = row.id;
      const isEdit = row.type === MessageType.EDIT;
      if (row.type !== MessageType.TEXT && !isEdit) continue;
      // That of a poll has more around it.
      const tag = row.content.match(TAG)?.[0] ?? row.content;
      const existing = texts.get(tag);
      if (existing !== undefined && !isEdit)
        problems.push(`INV2 "${row.content}" is stored twice, as ${existing.id} and ${row.id}`);
      texts.set(tag, {
        id: isEdit ? (row.quoteId ?? row.id) : row.id,
        // The ids of private chats are negative.
        people: row.chatId < 0 ? [row.sendId, row.recvId] : null,
        group: Math.max(row.chatId, 0),
      });
    }
  }

  const sync = () => {
    const problems: string[] = [];
    read(problems);
    return problems;
  };

  return {
    sync,
    noteEdit: (text) => void edits.add(text),
    findMisplaced(userId, text) {
      const violations: string[] = [];
      for (const [, id] of text.matchAll(EXTRA_PUSH)) {
        const row = chatOf.get(Number(id));
        const isSeen =
          row !== undefined &&
          (row.chatId < 0
            ? [row.sendId, row.recvId].includes(userId)
            : stay.get(row.chatId, userId, Number(id), Number(id)) !== undefined);
        if (!isSeen) violations.push(`INV9 ${userId} received what people did to the message ${id}`);
      }
      for (const [tag] of text.matchAll(TAG)) {
        if (!texts.has(tag)) violations.push(...sync());
        const entry = texts.get(tag);
        // A recall in the same commit removes the text of an edit before it can be read.
        if (entry === undefined && edits.has(tag)) continue;
        if (entry === undefined) violations.push(`"${tag}" was sent before it was stored`);
        else if (entry.people !== null) {
          if (!entry.people.includes(userId)) violations.push(`INV9 ${userId} received "${tag}"`);
        } else if (stay.get(entry.group, userId, entry.id, entry.id) === undefined)
          violations.push(`INV9 ${userId} received "${tag}" (${entry.id}) without being in its group`);
      }
      return violations;
    },
  };
}
