import { tellTyping } from "@parley/protocol/endpoints/typing";
import { TYPING_INTERVAL_MS, TYPING_SHOWN_MS } from "@parley/protocol/limits";
import type { TypingKind } from "@parley/protocol/signal";
import { SILENT } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import { typingTarget, type Typist, withoutTypist, withTypist } from "../model/chats/typing.ts";
import type { Incoming } from "../model/connection/read-frame.ts";
import { NO_TYPISTS } from "../model/signed-out-state.ts";
import type { ChatKey } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import type { ChatDeps } from "./chat-store.ts";

/**
 * How a person lets others see that they type. Nothing is said while there is no connection, nothing waits, and nobody hears of a failure. A
 * message that arrives ends what was said before it, so sending one says nothing.
 */
export interface TypingActions {
  /** The person has typed in a chat: tells it, at most once in 4 s. */
  typed(key: ChatKey): void;
  /** The person has removed what they typed: tells it, if others may still see that they type. */
  stoppedTyping(key: ChatKey): void;
  /** Tells that the person records a voice message, until the returned function is called. */
  startedRecording(key: ChatKey): () => void;
}

/** Who types in which chat, and telling that to others. */
export interface Typing extends Pick<SessionEvents, "wentOffline" | "reset"> {
  readonly actions: TypingActions;
  receive(signal: Extract<Incoming, { kind: "typing" }>): void;
  /** A message of this person is shown now in this chat. */
  messageArrived(key: ChatKey, userId: number): void;
}

/** Creates it; nobody types. */
export function createTyping({
  ports,
  api,
  stateStore,
}: Pick<ChatDeps, "ports" | "api" | "stateStore">): Typing {
  const { clock } = ports;
  /** When somebody else no longer types. */
  const ends = createKeyedTimers<`${ChatKey} ${number}`>(clock);
  /** What was said less than 4 s ago. */
  const pauses = createKeyedTimers<`${ChatKey} ${TypingKind}`>(clock);
  /** What others may still see this person do. */
  const shown = new Map<ChatKey, TypingKind>();
  const shownEnds = createKeyedTimers<ChatKey>(clock);

  function send(key: ChatKey, what: TypingKind, on: boolean): void {
    const state = stateStore.get();
    const target = typingTarget(state, key);
    if (target === null || state.connection.kind !== "online") return;
    if (on) {
      pauses.set(`${key} ${what}`, TYPING_INTERVAL_MS, () => undefined);
      shown.set(key, what);
      shownEnds.set(key, TYPING_SHOWN_MS, () => void shown.delete(key));
    }
    // The answer says nothing: who may no longer write here is told when they send.
    void api.call(tellTyping, { body: { ...target, what, on } }, SILENT);
  }

  function begin(key: ChatKey, what: TypingKind): void {
    if (!pauses.isSet(`${key} ${what}`)) send(key, what, true);
  }

  function end(key: ChatKey, what: TypingKind): void {
    if (shown.get(key) !== what) return;
    shown.delete(key);
    shownEnds.cancel(key);
    send(key, what, false);
  }

  function show(key: ChatKey, typist: Typist): void {
    ends.set(`${key} ${typist.userId}`, TYPING_SHOWN_MS, () => hide(key, typist.userId));
    stateStore.set({ typists: withTypist(stateStore.get().typists, key, typist) });
  }

  function hide(key: ChatKey, userId: number): void {
    ends.cancel(`${key} ${userId}`);
    stateStore.set({ typists: withoutTypist(stateStore.get().typists, key, userId) });
  }

  function hideAll(): void {
    ends.cancelAll();
    stateStore.set({ typists: NO_TYPISTS });
  }

  return {
    actions: {
      typed: (key) => begin(key, "text"),
      stoppedTyping: (key) => end(key, "text"),
      startedRecording(key) {
        let cancel = () => {};
        const repeat = () => {
          cancel = clock.after(TYPING_INTERVAL_MS, () => {
            send(key, "voice", true);
            repeat();
          });
        };
        begin(key, "voice");
        repeat();
        return () => {
          cancel();
          end(key, "voice");
        };
      },
    },
    receive({ key, typist, on }) {
      if (on) show(key, typist);
      else hide(key, typist.userId);
    },
    messageArrived: hide,
    wentOffline: hideAll,
    reset: hideAll,
  };
}
