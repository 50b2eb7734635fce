/** What is committed, as the simulation itself reads it: which text belongs to which chat, and who was where when it was written. */
import type Database from "better-sqlite3";
import { MessageType } from "@parley/protocol/codes";

/** Texts of people begin with the name of their chat, so that one that strays is known anywhere. */
const TAG = /\b(?:p(\d+)-(\d+)|g(\d+))#\d+\b/g;

export function privateTag(a: number, b: number, n: number): string {
  return `p${Math.min(a, b)}-${Math.max(a, b)}#${n}`;
}

export function groupTag(group: number, n: number): string {
  return `g${group}#${n}`;
}

interface Row {
  id: number;
  type: number;
  sendId: number;
  target: number;
  content: string;
  quoteId: number | null;
}

interface Text {
  /** Of the message that shows it. */
  id: number;
  /** Who may see it at all: people of a private chat, or a group. */
  people: readonly number[] | null;
  group: number;
}

export interface MessageRegistry {
  /** Reads what was committed since the last time. Answers what is wrong with it. */
  sync(): string[];
  /** Somebody asks to make this the text of a message. */
  noteEdit(text: string): void;
  /** What of this text is not for this person. */
  findMisplaced(userId: number, text: string): string[];
}

export function createMessageRegistry(probe: Database.Database): MessageRegistry {
  const texts = new Map<string, Text>();
  const edits = new Set<string>();
  const seen = { private: 0, group: 0 };
  const rowsOf = {
    private: probe.prepare<[number], Row>(
      "select id, type, sendId, recvId as target, content, quoteId from privateMessage where id > ? order by id",
    ),
    group: probe.prepare<[number], Row>(
      "select id, type, sendId, groupId as target, content, quoteId from groupMessage where id > ? order by id",
    ),
  };
  const stay = probe.prepare<[number, number, number, number], { nth: number }>(
    "select nth from groupStay where groupId = ? and userId = ? and fromId < ? and (toId is null or toId >= ?)",
  );

  function read(kind: "private" | "group", problems: string[]): void {
    for (const row of rowsOf[kind].all(seen[kind])) {
      seen[kind] = row.id;
      const isEdit = row.type === MessageType.EDIT;
      if (row.type !== MessageType.TEXT && !isEdit) continue;
      const known = texts.get(row.content);
      if (known !== undefined && !isEdit)
        problems.push(`INV2 "${row.content}" is stored twice, as ${known.id} and ${row.id}`);
      texts.set(row.content, {
        id: isEdit ? (row.quoteId ?? row.id) : row.id,
        people: kind === "private" ? [row.sendId, row.target] : null,
        group: kind === "group" ? row.target : 0,
      });
    }
  }

  const sync = () => {
    const problems: string[] = [];
    read("private", problems);
    read("group", problems);
    return problems;
  };

  return {
    sync,
    noteEdit: (text) => void edits.add(text),
    findMisplaced(userId, text) {
      const strays: string[] = [];
      for (const [tag] of text.matchAll(TAG)) {
        if (!texts.has(tag)) strays.push(...sync());
        const found = texts.get(tag);
        // A recall in the very commit of the edit takes its text away before anybody can look.
        if (found === undefined && edits.has(tag)) continue;
        if (found === undefined) strays.push(`"${tag}" was told before it was stored`);
        else if (found.people !== null) {
          if (!found.people.includes(userId)) strays.push(`INV9 ${userId} was told "${tag}"`);
        } else if (stay.get(found.group, userId, found.id, found.id) === undefined)
          strays.push(`INV9 ${userId} was told "${tag}" (${found.id}) of a group that he was not in`);
      }
      return strays;
    },
  };
}
