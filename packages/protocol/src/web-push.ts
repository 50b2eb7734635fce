/** What a web push tells the service worker of a browser. It travels encrypted through the push service. */
import * as z from "zod/mini";
import { ChatType } from "./codes.ts";
import { text, id, position } from "./text.ts";
import { PUSH_TEXT_MAX } from "./limits.ts";

/** The key of a chat, such as `PRIVATE:7`; the system chat is `SYSTEM:0`. */
const chatKey = () => z.templateLiteral([z.enum(ChatType), ":", z.number()]);

const about = {
  /** The person whose chat it is: several people may use one browser. */
  userId: id(),
  chat: chatKey(),
};

/** The newest message, for those who want previews. */
const preview = z.object({
  /** The name of the group; null in other chats. */
  group: z.nullable(z.string()),
  /** Null in the system chat. */
  sender: z.nullable(z.string()),
  /** A `PreviewKey`: `content` or `notice` is the text alone, other keys are words in the reader's language. */
  key: z.string(),
  text: text(PUSH_TEXT_MAX + 1),
});

/** There are new messages in a chat. */
const newMessages = z.object({
  kind: z.literal("messages"),
  ...about,
  /** How many there are since the push before. */
  count: z.number(),
  /** Whether one of them mentions the person. */
  isMention: z.boolean(),
  /** The position of the newest one: its id, in the system chat its seqNo. */
  newest: position(),
  /** The language of the person on this device, for the words of the notification. */
  language: z.string(),
  preview: z.nullable(preview),
});

/** A chat was read elsewhere: what was shown of it goes. */
const chatRead = z.object({ kind: z.literal("read"), ...about });

/** A call of a chat rings for the person. */
const callRings = z.object({
  kind: z.literal("call"),
  ...about,
  language: z.string(),
  /** The caller, for people who want previews: the names that the person has given. */
  preview: z.nullable(z.pick(preview, { group: true, sender: true })),
});

/** It rings no longer: what was shown of it goes. */
const callOver = z.object({ kind: z.literal("callOver"), ...about });

export const webPushPayload = z.discriminatedUnion("kind", [newMessages, chatRead, callRings, callOver]);
export type WebPushPayload = z.output<typeof webPushPayload>;
export type WebPushCall = z.output<typeof callRings>;
export type WebPushMessages = z.output<typeof newMessages>;
export type WebPushPreview = z.output<typeof preview>;
