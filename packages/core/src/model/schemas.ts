/** Schemas of what several stored values and messages between tabs consist of. Each has the type of the state that it describes. */
import * as z from "zod/mini";
import { CHAT_TYPES, MessageType } from "@parley/protocol/codes";
import { parseChatKey } from "./chats/chat-rows.ts";
import type {
  ChatKey,
  DraftEdit,
  DraftFile,
  DraftMention,
  DraftQuote,
  Failure,
  PendingUpload,
} from "./state.ts";
import { DRAFT_FILES_MAX } from "./uploads/draft-files.ts";

export const chatKey = z.custom<ChatKey>(
  (value) => typeof value === "string" && parseChatKey(value)?.key === value,
);

/** An id, or Infinity, which `z.number` refuses. */
export const idOrInfinity = z.custom<number>((value) => typeof value === "number" && !Number.isNaN(value));

export const draftMentions: z.ZodMiniType<readonly DraftMention[]> = z.array(
  z.object({ userId: z.number(), from: z.number(), to: z.number() }),
);

export const draftQuote: z.ZodMiniType<DraftQuote> = z.object({
  id: z.number(),
  sendId: z.number(),
  sendNickName: z.string(),
  type: z.number(),
  content: z.string(),
});

export const draftEdit: z.ZodMiniType<DraftEdit> = z.object({ id: z.number(), text: z.string() });

const file = {
  name: z.string(),
  size: z.number(),
  mimeType: z.string(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  duration: z.nullable(z.number()),
};

export const pendingUpload: z.ZodMiniType<PendingUpload> = z.object({
  ...file,
  wave: z.nullable(z.string()),
});

export const draftFiles: z.ZodMiniType<readonly DraftFile[]> = z
  .array(
    z.object({
      ...file,
      id: z.string(),
      type: z.literal([MessageType.IMAGE, MessageType.FILE, MessageType.VIDEO]),
    }),
  )
  .check(z.maxLength(DRAFT_FILES_MAX));

/** The numbers of each kind of chat. */
export const numbersByType = z.record(z.enum(CHAT_TYPES), z.number());

/** Up to where messages of a chat were evicted, and when. */
export const evictionMark = z.object({ below: idOrInfinity, at: z.number() });

const FAILURES: readonly unknown[] = [
  "refused",
  "http",
  "network",
  "fileLost",
  "loggedOut",
] satisfies Failure["kind"][];

/** Only the kind is looked at: the rest is shown to people and decides nothing. */
export const failure = z.custom<Failure>(
  (value) => typeof value === "object" && value !== null && "kind" in value && FAILURES.includes(value.kind),
);
