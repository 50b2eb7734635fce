import { createContext, use, useCallback, useSyncExternalStore } from "react";
import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";

/** What asks for an answer in the middle of a conversation. */
export type ChatDialog =
  | { readonly kind: "forward"; readonly ids: readonly number[] }
  | { readonly kind: "delete"; readonly ids: readonly number[] }
  /** A message of somebody else in a group. */
  | { readonly kind: "recall"; readonly id: number; readonly name: string }
  | { readonly kind: "readers"; readonly id: number }
  | { readonly kind: "sendCard" }
  | { readonly kind: "sendLocation" };

/** Somebody to be named in a text, by the name that all in the group see. */
export interface Named {
  /** -1 is everyone. */
  readonly userId: number;
  readonly name: string;
}

/** What a conversation is in the middle of, beside reading and writing. */
export interface DeskState {
  /** The message whose menu is open, by its key, and where. */
  readonly menu: { readonly key: string; readonly x: number; readonly y: number } | null;
  /** The menu of somebody who has written in a group. */
  readonly personMenu: {
    readonly userId: number;
    readonly name: string;
    readonly x: number;
    readonly y: number;
  } | null;
  /** The message of one's own that is being edited. */
  readonly editing: ChatMessage | null;
  /** The messages chosen, by their keys; null: nobody is choosing. */
  readonly chosen: ReadonlyMap<string, ChatMessage> | null;
  readonly dialog: ChatDialog | null;
  /** People whom the composer shall name, once it is there. */
  readonly naming: readonly Named[] | null;
}

/** What the composer does for others. */
export interface ComposerHandle {
  focus(): void;
  /** Puts a text at the caret. */
  insert(text: string): void;
}

/** One open conversation as its parts share it. */
export interface Desk {
  readonly key: ChatKey;
  readonly composer: { current: ComposerHandle | null };
  get(): DeskState;
  set(part: Partial<DeskState>): void;
  subscribe(listener: () => void): () => void;
}

export function createDesk(key: ChatKey): Desk {
  let state: DeskState = {
    menu: null,
    personMenu: null,
    editing: null,
    chosen: null,
    dialog: null,
    naming: null,
  };
  const listeners = new Set<() => void>();
  return {
    key,
    composer: { current: null },
    get: () => state,
    set(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** For whoever has the field at present. Answers what ends it. */
export function offerWriting(desk: Desk, handle: ComposerHandle): () => void {
  desk.composer.current = handle;
  return () => {
    if (desk.composer.current === handle) desk.composer.current = null;
  };
}

/** Takes a message in or out of the chosen ones, and begins choosing. No more than one call may delete. */
export function toggleChosen(desk: Desk, message: ChatMessage): void {
  const chosen = new Map(desk.get().chosen);
  if (!chosen.delete(message.key) && chosen.size < DELETE_BATCH_MAX) chosen.set(message.key, message);
  desk.set({ chosen, menu: null });
}

const DeskContext = createContext<Desk | null>(null);

export const DeskProvider = DeskContext.Provider;

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === null) throw new Error("no DeskProvider above");
  return desk;
}

/** A part of what the conversation is in the middle of; `select` must answer the same thing for the same state. */
export function useDeskState<Part>(select: (state: DeskState) => Part): Part {
  const desk = useDesk();
  const subscribe = useCallback((listener: () => void) => desk.subscribe(listener), [desk]);
  return useSyncExternalStore(subscribe, () => select(desk.get()));
}
