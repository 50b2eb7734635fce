/** The pushes about requests to join a group. */
import { Cmd, MessageType } from "@parley/protocol/codes";
import type { PrivateSignal } from "@parley/protocol/signal";
import { type Delivery, frameOf } from "../../delivery/delivery.ts";
import type { Actor } from "../../api/api-call.ts";
import { systemMessage } from "../../presenters/message-presenter.ts";
import type { GroupsStore } from "./groups-store.ts";
import type { GroupRequestOutcome } from "./membership.ts";

type RequestDecision = typeof MessageType.GROUP_REQ_APPROVE | typeof MessageType.GROUP_REQ_REJECT;

/** Sends the pushes about requests to join. Call these functions after the commit. */
export interface NotifyGroupRequests {
  /** Sends push 75 and the system message to owner and admins, and push 75 to the requester, whose devices list the request too. */
  requestSent(outcome: GroupRequestOutcome): Promise<void>;
  /** Sends push 76 or 77 to the applicant, the inviter, owner and admins. Without an actor, all of their clients get it. */
  requestClosed(actor: Actor | undefined, outcome: GroupRequestOutcome, type: RequestDecision): Promise<void>;
}

export function createNotifyGroupRequests({
  store,
  delivery,
}: {
  store: GroupsStore;
  delivery: Pick<Delivery, "toUsers" | "toOthersOf" | "webPush">;
}): NotifyGroupRequests {
  /** Pushes the system messages in their current state, so that the prompt closes on every client of owner and admins. */
  const publishSystemMessages = async ({ systemRows }: GroupRequestOutcome): Promise<void> => {
    for (const systemRow of systemRows) {
      const position = await store.systemReadPosition(systemRow.userId);
      const message = systemMessage(systemRow, position);
      delivery.toUsers([systemRow.userId], frameOf(Cmd.SYSTEM, message));
      delivery.webPush.systemMessageStored(systemRow.userId, message);
    }
  };

  return {
    async requestSent(outcome) {
      const frame = frameOf(Cmd.PRIVATE, requestSignal(MessageType.GROUP_REQ_APPLY, outcome));
      const requesterId = outcome.vo.inviterId ?? outcome.vo.sendId;
      delivery.toUsers([...new Set([...outcome.leaderIds, requesterId])], frame);
      await publishSystemMessages(outcome);
    },
    async requestClosed(actor, outcome, type) {
      const { sendId, inviterId } = outcome.vo;
      const ids = new Set([sendId, ...(inviterId === null ? [] : [inviterId]), ...outcome.leaderIds]);
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
