import * as z from "zod/mini";
import { savedChange, type SavedChange, savedWords } from "@parley/protocol/saved-message";
import { matches } from "@parley/protocol/search-text";
import { searchableContent } from "@parley/protocol/searchable-content";
import type { SharedValue } from "../shared-value.ts";
import type { ChatKey, ChatMessage, State } from "../state.ts";
import { chatKey } from "./chat-rows.ts";

/** The messages that the person has saved, as the server has them, by their ids. What is saved no longer stays, so that no late answer brings it back. */
export type SavedById = Readonly<Record<string, SavedChange>>;

/** Answers of the calls and of the feed arrive in any order, so that the version decides. All of an answer are one change, because a new device gets thousands. */
export const saved: SharedValue<SavedById, readonly SavedChange[], "saved"> = {
  initial: {},
  schema: z.record(z.string(), savedChange),
  changeSchema: z.array(savedChange),
  reduce(byId, changes) {
    const newer = changes.filter(({ id, v }) => v > (byId[id]?.v ?? 0));
    if (newer.length === 0) return byId;
    return { ...byId, ...Object.fromEntries(newer.map((change) => [change.id, change])) };
  },
  changesOf: ({ saved: changes }) => (changes.length === 0 ? [] : [changes]),
};

/** What a person writes to a saved message. */
export const savedWordsSchema = z.object(savedWords);
export type SavedWords = Readonly<z.output<typeof savedWordsSchema>>;

/** A message to save with these words or, with null, to remove. */
export interface UnsentSave {
  readonly key: ChatKey;
  readonly id: number;
  readonly words: SavedWords | null;
}

/** What the server has not confirmed, by the id of the message. */
export type UnsentSaves = Readonly<Record<string, UnsentSave>>;

/** The copy of a saved message, as of a version: 0 before the server has confirmed it. */
export interface SavedCopy {
  readonly v: number;
  readonly id: number;
  readonly message: ChatMessage;
}

/** The copies in memory, by the id of the message. */
export type SavedCopies = Readonly<Record<string, SavedCopy>>;

/** The parts of the state that say what is saved. */
export type SavedState = Pick<State, "saved" | "unsentSaves">;

/** A saved message as it shows. */
export interface SavedItem extends SavedWords {
  readonly id: number;
  readonly key: ChatKey;
  /** Infinity: the server has not confirmed it. */
  readonly at: number;
  /** null: its copy is not loaded. */
  readonly message: ChatMessage | null;
}

/** Whether a message shows as saved, with what the server has not confirmed. */
export function isSaved({ saved: byId, unsentSaves }: SavedState, id: number | null): boolean {
  if (id === null) return false;
  const unsent = unsentSaves[id];
  return unsent === undefined ? (byId[id]?.saved ?? null) !== null : unsent.words !== null;
}

/** The messages that show as saved, the one that was saved last first. What the person has just deleted for themselves is left out. */
export function savedItems(state: SavedState & Pick<State, "savedCopies" | "chats">): readonly SavedItem[] {
  const { saved: byId, unsentSaves, savedCopies, chats } = state;
  const items: SavedItem[] = [];
  const add = (id: number, key: ChatKey, at: number, { note, tags }: SavedWords) => {
    if (chats.byKey[key]?.sync.deletedForMe.includes(id) !== true)
      items.push({ id, key, at, note, tags, message: savedCopies[id]?.message ?? null });
  };
  for (const { id, saved: ref } of Object.values(byId)) {
    const unsent = unsentSaves[id];
    if (ref !== null && unsent?.words !== null)
      add(id, chatKey(ref.type, ref.targetId), ref.at, unsent?.words ?? ref);
  }
  for (const { id, key, words } of Object.values(unsentSaves))
    if (words !== null && (byId[id]?.saved ?? null) === null) add(id, key, Infinity, words);
  return items.toSorted((a, b) => (a.at === b.at ? b.id - a.id : b.at - a.at));
}

/** Whether a copy is missing here, or older than what the server has. */
export function hasMissing({ saved: byId, savedCopies }: Pick<State, "saved" | "savedCopies">): boolean {
  return Object.values(byId).some(({ id, v, saved: ref }) => ref !== null && (savedCopies[id]?.v ?? -1) < v);
}

/** Those of which the words, the note or a tag contain what is searched, by the rule of every search. `text` is prepared by `searchTextOf`; empty finds all. */
export function findSaved(items: readonly SavedItem[], text: string): readonly SavedItem[] {
  if (text === "") return items;
  return items.filter(({ message, note, tags }) => {
    const words = message === null ? "" : searchableContent(message.type, message.content);
    return matches([words, note, ...tags].join("\n"), text);
  });
}
