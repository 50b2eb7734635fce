import * as z from "zod/mini";
import { prefChange } from "@parley/protocol/chat-prefs";
import { broadcastInput } from "../model/broadcast/broadcast-schemas.ts";
import type { ChatInput } from "../model/chats/chat-input.ts";
import { savedWordsSchema } from "../model/chats/saved-messages.ts";
import { chatKey, draftEdit, draftFiles, draftMentions, draftQuote, evictionMark } from "../model/schemas.ts";
import type { FileData, Tabs } from "../ports.ts";
import { isRecord } from "./key-value-storage.ts";
import { tokens } from "./stored-values.ts";

/** The inputs that tabs send each other: what the server does not store, and evictions from the shared database. */
export type TabSyncInput = Extract<ChatInput, { kind: "draft" | "remove" | "evict" }>;

const tmpIds: z.ZodMiniType<readonly string[]> = z.array(z.string());

const file = z.custom<FileData>(
  (value) => isRecord(value) && typeof value["size"] === "number" && typeof value["type"] === "string",
);

/** A message to the tabs in which `userId` is signed in. */
const toUser = <Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), userId: z.number(), ...shape });

/** Everything that the tabs of one browser send each other. */
const tabMessage = z.discriminatedUnion("kind", [
  toUser("draft", {
    key: chatKey,
    text: z.exactOptional(z.string()),
    mentions: z.exactOptional(draftMentions),
    quote: z.exactOptional(z.nullable(draftQuote)),
    edit: z.exactOptional(z.nullable(draftEdit)),
    files: z.exactOptional(draftFiles),
  }),
  toUser("remove", { key: chatKey }),
  toUser("evict", { key: chatKey, ...evictionMark.shape }),
  /** The local database was malformed and has been cleared. */
  toUser("databaseCleared", {}),
  /** A shared value has changed, as its own schema says. */
  toUser("sharedValue", { name: z.string(), change: z.unknown() }),
  /** Something is set for a chat. */
  toUser("chatPref", { key: chatKey, set: prefChange }),
  /** A message is saved with these words or, with null, removed. */
  toUser("saved", { key: chatKey, id: z.number(), words: z.nullable(savedWordsSchema) }),
  /** Something happened to the broadcast. */
  toUser("broadcast", { input: broadcastInput }),
  /** A tab that was opened asks which messages other tabs upload the files of, and send behind them. */
  toUser("uploadsAsked", {}),
  toUser("uploading", { tmpIds }),
  /** These messages were discarded, which other tabs may show as failed. */
  toUser("discarded", { tmpIds }),
  /** A tab is closed that had these messages to send. */
  toUser("outboxLeft", { tmpIds }),
  /** Asks for a file of a draft that did not fit into the local database: only the tab in which it was chosen has it. */
  toUser("draftFileAsked", { id: z.string() }),
  toUser("draftFileGiven", { id: z.string(), file, cover: z.nullable(file) }),
  /** A tab can be watched from now on; `isNew`: the others tell it the same of themselves. */
  toUser("tabAlive", { tab: z.string(), isNew: z.boolean() }),
  /** A tab has refreshed these tokens; tabs that were duplicated from the same one use them too. */
  z.object({ kind: z.literal("tokens"), tokens }),
  /** Logs out; null: whoever is signed in. */
  z.object({ kind: z.literal("loggedOut"), userId: z.nullable(z.number()) }),
]);
type TabMessage = z.output<typeof tabMessage>;
type MessageOf<Kind extends TabMessage["kind"]> = Extract<TabMessage, { kind: Kind }>;
type KindToUser = Exclude<TabMessage["kind"], "tokens" | "loggedOut">;

/** Sends a message to all other tabs of this browser. */
export function broadcastToTabs(tabs: Pick<Tabs, "broadcast">, message: TabMessage): void {
  tabs.broadcast(message);
}

/**
 * Calls the listener with the messages of this kind that other tabs send. A tab may run another version of the client, so what is not as
 * here is left out. Returns a function to unsubscribe.
 */
export function listenToTabs<Kind extends TabMessage["kind"]>(
  tabs: Pick<Tabs, "listen">,
  kind: Kind,
  listener: (message: MessageOf<Kind>) => void,
): () => void {
  return tabs.listen((value) => {
    if (!isRecord(value) || value["kind"] !== kind) return;
    const { data } = tabMessage.safeParse(value);
    if (data !== undefined) listener(data as MessageOf<Kind>);
  });
}

/** Does the same with those for the person who is signed in here. */
export function listenToOwnTabs<Kind extends KindToUser>(
  tabs: Pick<Tabs, "listen">,
  me: number,
  kind: Kind,
  listener: (message: MessageOf<Kind>) => void,
): void {
  listenToTabs(tabs, kind, (message) => {
    if ("userId" in message && message.userId === me) listener(message);
  });
}

/**
 * The name of the lock that a signed-in tab holds for as long as it lives. By it other tabs notice that its unsent messages and its calls are
 * theirs now. Tabs of other versions use the same name.
 */
export const tabLockName = (tab: string): string => `outbox.${tab}`;
