import type { ChatMessage } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { linksOf } from "../message/bubbles/link-parts.ts";

/** Which saved messages the screen shows, in the order of the choice. */
export const SAVED_KINDS = ["all", "text", "pictures", "files", "voice", "links"] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

const IS_OF_KIND: Readonly<Record<SavedKind, (message: Pick<ChatMessage, "type" | "content">) => boolean>> = {
  all: () => true,
  text: ({ type }) => type === MessageType.TEXT,
  pictures: ({ type }) => type === MessageType.IMAGE || type === MessageType.VIDEO,
  files: ({ type }) => type === MessageType.FILE,
  voice: ({ type }) => type === MessageType.AUDIO,
  links: ({ type, content }) => type === MessageType.TEXT && linksOf(content).length > 0,
};

/** Whether a kind shows a saved message; null: one whose copy is not loaded, of which nobody knows. */
export function isOfSavedKind(
  kind: SavedKind,
  message: Pick<ChatMessage, "type" | "content"> | null,
): boolean {
  return message === null ? kind === "all" : IS_OF_KIND[kind](message);
}

const SEPARATORS = /[,，、;；\n]/u;

/** The tags that a person has typed in one field, each once. */
export function tagsIn(typed: string): readonly string[] {
  const tags = typed.split(SEPARATORS).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}
