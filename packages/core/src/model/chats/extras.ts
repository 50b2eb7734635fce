import type { MessageExtra, OwnExtra, Tally, TallyKind } from "@parley/protocol/message-extra";
import { MessageStatus } from "@parley/protocol/codes";
import { EXTRA_CHANGES_MAX, TALLY_FIRST_MAX } from "@parley/protocol/limits";
import type { ChatMessage } from "../state.ts";

/** What people did to messages after they were sent. It arrives in rows, in pushes, in `/user/changes` and in answers, in any order. */

/** The extra of a message. */
export interface Extra extends Omit<MessageExtra, "mine"> {
  /** What I did, as of the version `ownV`. */
  readonly mine: OwnExtra;
  readonly ownV: number;
}

/** An extra as it arrived, and whose it is. */
export interface MessageExtraChange {
  readonly id: number;
  readonly extra: MessageExtra;
}

/**
 * What a person sets of a message: a key of a tally, all of their votes, that it is pinned, that its poll has an option, or their line of
 * a sign-up list. The key is that of the tally or the text of the option, else "".
 */
export type ActKind = TallyKind | "pin" | "option" | "line";

/** An act of mine that the server has not confirmed: a key that I have chosen or, if `on` is false, taken back. */
export interface UnsentAct {
  readonly kind: ActKind;
  readonly key: string;
  readonly on: boolean;
  /** Votes: all that I have chosen. The key is "". */
  readonly keys?: readonly string[] | undefined;
  /** A line: what it says; empty: none. */
  readonly text?: string | undefined;
}

/** My unconfirmed acts, by the id of the message. */
export type UnsentActs = Readonly<Record<number, readonly UnsentAct[]>>;

/** My unconfirmed acts on a message, if there are any. */
export function unsentActsOf(
  { id }: { readonly id: number | null },
  { unsentActs }: { readonly unsentActs: UnsentActs },
): readonly UnsentAct[] | undefined {
  return id === null ? undefined : unsentActs[id];
}

/**
 * The later one of two extras; `known` itself when the other says nothing new. What everybody sees and what I did have versions of their
 * own, because pushes about others do not say what I did.
 */
export function mergeExtra(known: Extra | undefined, incoming: MessageExtra | Extra): Extra {
  const { mine, v, ...state } = incoming;
  const ownV = "ownV" in incoming ? incoming.ownV : mine === undefined ? 0 : v;
  if (known === undefined) return { ...state, v, mine: mine ?? {}, ownV };
  const isStateNewer = v > known.v;
  const isOwnNewer = mine !== undefined && ownV > known.ownV;
  if (!isStateNewer && !isOwnNewer) return known;
  const { mine: knownMine, ownV: knownOwnV, ...knownState } = known;
  return {
    ...(isStateNewer ? { ...state, v } : knownState),
    ...(isOwnNewer ? { mine, ownV } : { mine: knownMine, ownV: knownOwnV }),
  };
}

/** The message with an extra; the same object when it says nothing new. Of a recalled message, nothing is left. */
export function withExtra(message: ChatMessage, incoming: MessageExtra | Extra): ChatMessage {
  if (message.status === MessageStatus.RECALL) return message;
  const extra = mergeExtra(message.extra, incoming);
  return extra === message.extra ? message : { ...message, extra };
}

/** Records an extra; the last ones stay, as many as one answer of the change feed has. */
export function recordExtra(
  extras: readonly MessageExtraChange[],
  incoming: MessageExtraChange,
): readonly MessageExtraChange[] {
  const known = extras.find(({ id }) => id === incoming.id);
  const extra =
    known === undefined ? incoming.extra : mergeExtra(mergeExtra(undefined, known.extra), incoming.extra);
  const others = extras.filter((one) => one !== known);
  return [...others, { id: incoming.id, extra }].slice(-EXTRA_CHANGES_MAX);
}

/** The message with the extra that arrived before it, if any. */
export function applyExtras(message: ChatMessage, extras: readonly MessageExtraChange[]): ChatMessage {
  const change = extras.find(({ id }) => id === message.id);
  return change === undefined ? message : withExtra(message, change.extra);
}

/** A key of a message as it is shown, with my acts that the server has not confirmed. */
export interface ShownTally extends Tally {
  /** Whether I have chosen it. */
  readonly isMine: boolean;
  /** The server has not confirmed my choice. */
  readonly isUnsent: boolean;
}

const NO_ACTS: readonly UnsentAct[] = [];

/** The keys of a message that people have chosen, in the order of their first use. */
export function shownTallies(
  { extra }: Pick<ChatMessage, "extra">,
  kind: TallyKind,
  me: number,
  unsent: readonly UnsentAct[] = NO_ACTS,
): readonly ShownTally[] {
  const mine = extra?.mine[kind] ?? [];
  const shown: ShownTally[] = (extra?.[kind] ?? []).map((tally) => ({
    ...tally,
    isMine: mine.includes(tally.key),
    isUnsent: false,
  }));
  for (const act of unsent) {
    if (act.kind !== kind || mine.includes(act.key) === act.on) continue;
    const index = shown.findIndex(({ key }) => key === act.key);
    const { count = 0, first = [] } = shown[index] ?? {};
    const after: ShownTally = {
      key: act.key,
      count: count + (act.on ? 1 : -1),
      first: act.on ? [...first, me].slice(0, TALLY_FIRST_MAX) : first.filter((id) => id !== me),
      isMine: act.on,
      isUnsent: true,
    };
    if (index < 0) {
      if (act.on) shown.push(after);
    } else if (after.count > 0) shown[index] = after;
    else shown.splice(index, 1);
  }
  return shown;
}
