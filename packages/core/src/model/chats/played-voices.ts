import * as z from "zod/mini";
import { MessageType } from "@parley/protocol/codes";
import { chatKey } from "../schemas.ts";
import type { SharedValue } from "../shared-value.ts";
import type { ChatKey, ChatMessage } from "../state.ts";

/** By chat, the voice messages that were played on this device: all up to an id, and these. */
export type PlayedVoices = Readonly<
  Record<ChatKey, { readonly upTo: number; readonly ids: readonly number[] }>
>;

export const playedVoices: SharedValue<PlayedVoices, { key: ChatKey; id: number }> = {
  initial: {},
  schema: z.record(chatKey, z.object({ upTo: z.number(), ids: z.array(z.number()) })),
  changeSchema: z.object({ key: chatKey, id: z.number() }),
  reduce: (played, { key, id }) => withPlayed(played, key, id),
};

/** How many played voice messages of a chat are remembered. */
const PLAYED_MAX = 200;

/** With one more voice message that was played. The oldest ones are not remembered one by one: all up to an id count as played then. */
function withPlayed(played: PlayedVoices, key: ChatKey, id: number): PlayedVoices {
  const { upTo, ids } = played[key] ?? NONE_PLAYED;
  if (id <= upTo || ids.includes(id)) return played;
  const sorted = [...ids, id].sort((a, b) => a - b);
  const dropped = sorted.length > PLAYED_MAX ? sorted.shift() : undefined;
  return { ...played, [key]: { upTo: dropped ?? upTo, ids: sorted } };
}

const NONE_PLAYED: PlayedVoices[ChatKey] = { upTo: -1, ids: [] };

/** Whether a message is a voice message that was not played on this device. One's own count as played. */
export function isUnheard(
  played: PlayedVoices,
  key: ChatKey,
  { type, id, selfSend }: Pick<ChatMessage, "type" | "id" | "selfSend">,
): boolean {
  if (type !== MessageType.AUDIO || selfSend || id === null) return false;
  const { upTo, ids } = played[key] ?? NONE_PLAYED;
  return id > upTo && !ids.includes(id);
}
