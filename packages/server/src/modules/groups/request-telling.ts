/** Who hears what about a request to join a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { Signal } from "@parley/protocol/message";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
import { systemMessage } from "../../rules/messages.ts";
import type { RequestOutcome } from "./joining.ts";

type Answer = typeof MessageType.GROUP_REQ_APPROVE | typeof MessageType.GROUP_REQ_REJECT;

export interface RequestTelling {
  /** 75 and the system message to owner and admins; 75 alone to who has made the request, whose devices list it too. */
  asked(outcome: RequestOutcome): Promise<void>;
  /** 76 or 77 to the applicant, who invited them, and owner and admins; without an actor all of their clients. */
  closed(actor: Actor | undefined, outcome: RequestOutcome, type: Answer): Promise<void>;
}

export function createRequestTelling({
  store,
  delivery,
}: {
  store: Store;
  delivery: Pick<Delivery, "toUsers" | "toOthersOf">;
}): RequestTelling {
  /** As they stand, so that a prompt closes on every client of those who lead the group. */
  const showSystems = async ({ systems }: RequestOutcome): Promise<void> => {
    for (const system of systems) {
      const position = await store.systemReadPosition(system.userId);
      delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
    }
  };

  return {
    async asked(outcome) {
      const frame = frameOf(Cmd.PRIVATE, signal(MessageType.GROUP_REQ_APPLY, outcome));
      const maker = outcome.vo.inviterId ?? outcome.vo.sendId;
      delivery.toUsers([...new Set([...outcome.leaders, maker])], frame);
      await showSystems(outcome);
    },
    async closed(actor, outcome, type) {
      const { sendId, inviterId } = outcome.vo;
      const ids = new Set([sendId, ...(inviterId === null ? [] : [inviterId]), ...outcome.leaders]);
      const frame = frameOf(Cmd.PRIVATE, signal(type, outcome));
      if (actor === undefined) delivery.toUsers([...ids], frame);
      else delivery.toOthersOf(actor, [...ids], frame);
      await showSystems(outcome);
    },
  };
}

function signal(type: Signal["type"], { vo }: RequestOutcome): Signal {
  return { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) };
}
