import type { ChatInput } from "../model/chat-input.ts";
import { readMentions } from "../model/mentions.ts";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey, DraftEdit, DraftQuote } from "../model/state.ts";
import type { Desk } from "./desk.ts";
import { isRecord } from "./keep.ts";
import type { Ports } from "./ports.ts";
import { isTrimMark } from "./tidy.ts";

/**
 * What the tabs of one device tell each other: drafts, unread marks and chats taken from the list, which no server knows, trims of their disk,
 * and that it was cleared.
 */
export interface TabTalk {
  /** Here, on disk and in the other tabs. */
  apply(input: TabInput): void;
  /** In the other tabs alone. */
  tell(input: TabInput): void;
  /** What lay on the disk made no sense and was cleared. */
  tellCleared(): void;
  close(): void;
}

export type TabInput = Extract<ChatInput, { kind: "draft" | "mark" | "remove" | "trim" }>;

export interface TabTalkDeps {
  ports: Ports;
  desk: Desk;
  me(): number;
  /** Another tab knows this chat's draft better. */
  onDraft(key: ChatKey): void;
  /** Another tab has cleared the disk: what this one believes to lie there is gone. */
  onCleared(): void;
}

const CLEARED = "diskCleared";

export function createTabTalk({ ports, desk, me, onDraft, onCleared }: TabTalkDeps): TabTalk {
  const stop = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["userId"] !== me()) return;
    if (message["kind"] === CLEARED) return onCleared();
    const input = readInput(message);
    if (input === null) return;
    if (input.kind === "draft" || input.kind === "remove") onDraft(input.key);
    desk.apply([input]);
  });

  const tell = (input: TabInput) => ports.tabs.tell({ ...input, userId: me() });

  return {
    apply(input) {
      desk.apply([input]);
      tell(input);
    },
    tell,
    tellCleared: () => ports.tabs.tell({ kind: CLEARED, userId: me() }),
    close: stop,
  };
}

/** An older version of this program may run in another tab. */
function readInput(message: Record<string, unknown>): TabInput | null {
  const { kind, key: keyText, text, quote, edit, isOn } = message;
  const mentions = readMentions(message["mentions"]);
  const key = typeof keyText === "string" ? parseChatKey(keyText)?.key : undefined;
  if (key === undefined) return null;
  switch (kind) {
    case "draft":
      return {
        kind,
        key,
        ...(typeof text === "string" && { text, mentions: mentions ?? [] }),
        ...((quote === null || isQuote(quote)) && { quote }),
        ...((edit === null || isEdit(edit)) && { edit }),
      };
    case "mark":
      return { kind, key, isOn: isOn === true };
    case "remove":
      return { kind, key };
    case "trim":
      return isTrimMark(message) ? { kind, key, below: message.below, at: message.at } : null;
    default:
      return null;
  }
}

function isQuote(value: unknown): value is DraftQuote {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["content"] === "string";
}

/** Whether this is an edit not yet sent, as another page wrote it. */
export function isEdit(value: unknown): value is DraftEdit {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["text"] === "string";
}
