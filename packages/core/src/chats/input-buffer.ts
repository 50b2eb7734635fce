import type { ChatInput } from "../model/chats/chat-input.ts";
import type { Clock } from "../ports.ts";

/** A message that arrived outside a pull. */
export type LiveRow = Extract<ChatInput, { kind: "row" }>;

/** Collects what arrives for chats: everything of a pull until it has ended, otherwise everything of one turn. */
export interface InputBuffer {
  /** `isPushed`: the server sent it by itself, so that it may alert the person. */
  add(input: ChatInput, isPushed?: boolean): void;
  /** Applies what has arrived in this turn. */
  applyLive(): void;
  /** Applies what waited for the pulls. */
  applyPulled(): void;
  /** Whether nothing waits for the end of this turn. */
  isIdle(): boolean;
}

/** What the buffer needs, and where it hands batches over. */
export interface InputBufferDeps {
  clock: Clock;
  isLoading(): boolean;
  onPulled(inputs: readonly ChatInput[]): void;
  /** `pushedRows`: those of the inputs that the server pushed. */
  onLive(inputs: readonly ChatInput[], pushedRows: readonly LiveRow[]): void;
}

/** Creates an empty buffer. */
export function createInputBuffer({ clock, isLoading, onPulled, onLive }: InputBufferDeps): InputBuffer {
  let pulled: ChatInput[] = [];
  let live: { input: ChatInput; isPushed: boolean }[] = [];
  let isScheduled = false;

  function applyLive(): void {
    isScheduled = false;
    const batch = live;
    live = [];
    const inputs = batch.map(({ input }) => input);
    if (isLoading()) pulled.push(...inputs);
    else if (batch.length > 0)
      onLive(
        inputs,
        batch.flatMap(({ input, isPushed }) => (isPushed && input.kind === "row" ? input : [])),
      );
  }

  return {
    add(input, isPushed = false) {
      if (isLoading()) {
        pulled.push(input);
        return;
      }
      live.push({ input, isPushed });
      if (isScheduled) return;
      isScheduled = true;
      clock.soon(applyLive);
    },
    applyLive,
    applyPulled() {
      const inputs = pulled;
      pulled = [];
      // Apply these last: one that arrived before the rows of a new chat applies to these rows.
      onPulled([...inputs.filter((input) => !isAboutRows(input)), ...inputs.filter(isAboutRows)]);
    },
    isIdle: () => live.length === 0,
  };
}

function isAboutRows(input: ChatInput): boolean {
  if (input.kind === "read") return input.upTo !== null;
  return input.kind === "receipt" || input.kind === "extra";
}
