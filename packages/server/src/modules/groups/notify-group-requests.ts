/** Who hears what about a request to join a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery.ts";
import type { Actor } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import type { GroupRequestOutcome } from "./membership.ts";

type RequestDecision = typeof MessageType.GROUP_REQ_APPROVE | typeof MessageType.GROUP_REQ_REJECT;

export interface NotifyGroupRequests {
  /** 75 and the system message to owner and admins; 75 alone to who has made the request, whose devices list it too. */
  requestSent(outcome: GroupRequestOutcome): Promise<void>;
  /** 76 or 77 to the applicant, who invited them, and owner and admins; without an actor all of their clients. */
  requestClosed(actor: Actor | undefined, outcome: GroupRequestOutcome, type: RequestDecision): Promise<void>;
}

export function createNotifyGroupRequests({
  store,
  delivery,
}: {
  store: Store;
  delivery: Pick<Delivery, "toUsers" | "toOthersOf">;
}): NotifyGroupRequests {
  /** As they stand, so that a prompt closes on every client of those who lead the group. */
  const publishSystemMessages = async ({ systems }: GroupRequestOutcome): Promise<void> => {
    for (const system of systems) {
      const position = await store.systemReadPosition(system.userId);
      delivery.toUsers([system.userId], frameOf(Cmd.SYSTEM, systemMessage(system, position)));
    }
  };

  return {
    async requestSent(outcome) {
      const frame = frameOf(Cmd.PRIVATE, requestSignal(MessageType.GROUP_REQ_APPLY, outcome));
      const requesterId = outcome.vo.inviterId ?? outcome.vo.sendId;
      delivery.toUsers([...new Set([...outcome.leaders, requesterId])], frame);
      await publishSystemMessages(outcome);
    },
    async requestClosed(actor, outcome, type) {
      const { sendId, inviterId } = outcome.vo;
      const ids = new Set([sendId, ...(inviterId === null ? [] : [inviterId]), ...outcome.leaders]);
      const frame = frameOf(Cmd.PRIVATE, requestSignal(type, outcome));
      if (actor === undefined) delivery.toUsers([...ids], frame);
      else delivery.toOthersOf(actor, [...ids], frame);
      await publishSystemMessages(outcome);
    },
  };
}

type RequestSignalType = typeof MessageType.GROUP_REQ_APPLY | RequestDecision;

function requestSignal(type: RequestSignalType, { vo }: GroupRequestOutcome): PrivateSignal {
  return { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) };
}
