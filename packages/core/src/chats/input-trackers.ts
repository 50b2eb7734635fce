import type { ChatInput } from "../model/chats/chat-input.ts";
import type { ChatKey } from "../model/state.ts";

/** What changes messages while a page of their chat is being read. */
export interface InputTrackers {
  /**
   * Records the inputs that change messages of a chat until the returned function is called. A page that was read in this time may be older
   * than these inputs, so they have to be applied again after it. null: the user or the server's database has changed, or the chat was
   * invalidated; the page must not be used.
   */
  track(key: ChatKey): () => readonly ChatInput[] | null;
  record(inputs: readonly ChatInput[]): void;
  /** All messages of a chat are invalid, and pages that are being read now. */
  invalidate(key: ChatKey): void;
  /** How often all messages of a chat were invalidated. */
  invalidationCount(key: ChatKey): number;
  /** No page that is being read now may be used. */
  drop(): void;
}

/** Creates the trackers; none is running. */
export function createInputTrackers(): InputTrackers {
  const trackers = new Set<{ readonly key: ChatKey; readonly inputs: ChatInput[] }>();
  const invalidations = new Map<ChatKey, number>();
  const invalidationCount = (key: ChatKey) => invalidations.get(key) ?? 0;

  return {
    track(key) {
      const tracker = { key, inputs: [] };
      trackers.add(tracker);
      return () => (trackers.delete(tracker) ? tracker.inputs : null);
    },
    record(inputs) {
      for (const { key, inputs: tracked } of trackers) {
        tracked.push(...inputs.filter((input) => isMessageInput(input) && input.key === key));
      }
    },
    invalidate(key) {
      invalidations.set(key, invalidationCount(key) + 1);
      for (const tracker of trackers) if (tracker.key === key) trackers.delete(tracker);
    },
    invalidationCount,
    drop: () => trackers.clear(),
  };
}

const MESSAGE_INPUTS: ReadonlySet<ChatInput["kind"]> = new Set(["row", "event", "receipt", "extra"]);

/** Inputs that a page which was read before them does not contain. */
function isMessageInput(
  input: ChatInput,
): input is Extract<ChatInput, { kind: "row" | "event" | "receipt" | "extra" }> {
  return MESSAGE_INPUTS.has(input.kind);
}
