/** Tells those who see a message what people did to it. */
import type { Capability } from "@parley/protocol/frame";
import { EXTRA_PUSH_MS } from "@parley/protocol/limits";
import type { ExtraAct, MessageExtra } from "@parley/protocol/message-extra";
import type { Actor } from "../../api/api-call.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { RowOf } from "../../ports/message-store.ts";
import type { ChatKind } from "../../ports/stored-message.ts";
import type { ChatStrategy } from "./chat-strategy.ts";

const REQUIRED_CAPABILITY: Capability = "extras";

export interface PublishExtraDeps {
  delivery: Pick<Delivery, "toUsers" | "toOwnOthers">;
  /** Calls a function after so many ms. */
  after(ms: number, work: () => void): void;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
}

/** What was done to a message and is not yet told to everybody. */
interface Pending {
  /** The newest, without what its reader did. */
  extra: MessageExtra;
  acts: ExtraAct[];
}

/**
 * Pushes the extra of a message after an act, before its answer; `extra.mine` is what the acting person did. Without an actor nobody did it;
 * without an act nobody is told who did what.
 */
export type PublishExtra = <Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  row: RowOf<Kind>,
  actor: Actor | null,
  extra: MessageExtra,
  act: ExtraAct | null,
) => Promise<void>;

/**
 * The first act on a message is pushed at once. What follows within `EXTRA_PUSH_MS` is one push, so that a message to which a whole group
 * reacts is a few frames a second for each socket.
 */
export function createPublishExtra({ delivery, after, inBackground }: PublishExtraDeps): PublishExtra {
  /** The messages of which something was pushed lately, and what was done to them since. */
  const recent = new Map<number, Pending | null>();

  async function push<Kind extends ChatKind>(
    chats: ChatStrategy<Kind>,
    row: RowOf<Kind>,
    { extra, acts }: Pending,
  ): Promise<void> {
    recent.set(row.id, null);
    after(EXTRA_PUSH_MS, () => {
      const waiting = recent.get(row.id) ?? null;
      if (waiting === null) recent.delete(row.id);
      else inBackground(push(chats, row, waiting));
    });
    const audience = await chats.audienceOf(row);
    delivery.toUsers(audience, chats.extraFrame(row, extra, acts), REQUIRED_CAPABILITY);
  }

  return async (chats, row, actor, extra, act) => {
    // The other devices of the person learn what they did; it concerns nobody else.
    const acts = act === null ? [] : [act];
    if (actor !== null) delivery.toOwnOthers(actor, chats.extraFrame(row, extra, acts), REQUIRED_CAPABILITY);
    const { mine: _, ...shared } = extra;
    const waiting = recent.get(row.id);
    if (waiting === undefined) await push(chats, row, { extra: shared, acts });
    else {
      const isNewer = waiting === null || shared.v > waiting.extra.v;
      recent.set(row.id, {
        extra: isNewer ? shared : waiting.extra,
        acts: [...(waiting?.acts ?? []), ...acts],
      });
    }
  };
}
