import type { ChatType } from "@parley/protocol/codes";
import type { ChatInput } from "../model/chats/chat-input.ts";
import { chatTypeOf } from "../model/chats/chat-rows.ts";
import { readChatRow } from "../model/connection/read-frame.ts";
import type { ChatKey, Result } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import { chatApiOf } from "./chat-api.ts";
import type { ChatDeps } from "./chat-store.ts";

/** How the pinned messages of a chat are loaded. */
export interface PinActions {
  /**
   * Loads the pinned messages of a chat into `state.pins`, unless they are known. From then on they are loaded again when they change, while
   * the chat is open.
   */
  loadPins(key: ChatKey): Promise<Result<null>>;
}

/** The pinned messages of chats. Most are not in memory, so the server is asked for them. */
export interface Pins extends Pick<SessionEvents, "wentOffline" | "reset"> {
  readonly actions: PinActions;
  /** What was applied to the chats; an extra or an event may change what is pinned. */
  applied(inputs: readonly ChatInput[]): void;
}

const NOTHING_TO_LOAD: Result<null> = { ok: true, value: null };

/** Creates the pins; nothing is loaded. */
export function createPins({ api, stateStore, me }: ChatDeps): Pins {
  /** The chats whose pins in the state are those of the server. */
  const current = new Set<ChatKey>();
  const loading = new Map<ChatKey, Promise<Result<null>>>();

  async function load(key: ChatKey): Promise<Result<null>> {
    const chatApi = chatApiOf(api, key);
    if (chatApi === null) return NOTHING_TO_LOAD;
    // What changes meanwhile may be missing in the answer.
    while (!current.has(key)) {
      current.add(key);
      const result = await chatApi.pins();
      if (!result.ok) {
        current.delete(key);
        return result;
      }
      const { unseen } = result.value;
      const messages = result.value.messages.flatMap((row) => {
        const incoming = readChatRow(chatApi.type, key, row, me);
        return incoming.kind === "chat" && incoming.input.kind === "row" ? incoming.input.message : [];
      });
      const { pins } = stateStore.get();
      // Most chats have none, and nothing has to be shown anew for them.
      const hasSome = messages.length > 0 || unseen > 0 || pins[key] !== undefined;
      if (hasSome) stateStore.set({ pins: { ...pins, [key]: { messages, unseen } } });
    }
    return NOTHING_TO_LOAD;
  }

  function loadPins(key: ChatKey): Promise<Result<null>> {
    const running = loading.get(key) ?? load(key).finally(() => loading.delete(key));
    loading.set(key, running);
    return running;
  }

  /** Whether an input may change the pins of its chat. */
  function mayChange(key: ChatKey, input: ChatInput): boolean {
    if (input.kind !== "extra" && input.kind !== "event") return false;
    if (loading.has(key)) return true;
    const id = input.kind === "extra" ? input.change.id : input.event.targetId;
    const isKnown = stateStore.get().pins[key]?.messages.some((message) => message.id === id) === true;
    return input.kind === "event" ? isKnown : isKnown !== (input.change.extra.pin !== undefined);
  }

  /** The person has cleared all chats of a kind, and sees none of their pins any more. */
  function forget(type: ChatType): void {
    const { pins, chats } = stateStore.get();
    const others = Object.entries(pins).filter(([key]) => chatTypeOf(key as ChatKey) !== type);
    stateStore.set({ pins: Object.fromEntries(others) });
    current.clear();
    if (chats.openKey !== null && chatTypeOf(chats.openKey) === type) void loadPins(chats.openKey);
  }

  return {
    actions: { loadPins },
    applied(inputs) {
      for (const input of inputs) {
        if (input.kind === "cleared") forget(input.type);
        if (!("key" in input) || !current.has(input.key) || !mayChange(input.key, input)) continue;
        current.delete(input.key);
        if (stateStore.get().chats.openKey === input.key) void loadPins(input.key);
      }
    },
    wentOffline: () => current.clear(),
    reset() {
      current.clear();
      stateStore.set({ pins: {} });
    },
  };
}
