import { UsersRound } from "lucide-react";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { receivedGroupRequestCount } from "@parley/core/model/selectors";
import { useText } from "../../kit/i18n/i18n.ts";
import {
  ApproveOrReject,
  RequestCard,
  RequestPendingNote,
  RequestsBlock,
  RequestsPage,
} from "../../kit/people/requests-page.tsx";
import { useClientState } from "../../kit/loading/use-client.ts";
import { useGroupRequestAnswer } from "../../kit/people/use-request-answer.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";

/** Unanswered requests to join above the list of groups. */
export function GroupRequests() {
  const t = useText();
  const cards = useGroupRequestCards();
  const count = useClientState(receivedGroupRequestCount);
  if (cards.length === 0) return null;
  return (
    <RequestsBlock
      title={t("groups.requests")}
      icon={<UsersRound {...ICON_PROPS} />}
      count={count}
      allPath="/home/group/requests"
      cards={cards}
    />
  );
}

/** `/home/group/requests`: all unanswered requests to join. */
export function GroupRequestsPage() {
  const t = useText();
  const isLoaded = useClientState((state) => state.groups.isLoaded);
  return (
    <RequestsPage
      title={t("groups.requests")}
      parentPath="/home/group"
      isLoaded={isLoaded}
      cards={useGroupRequestCards()}
    />
  );
}

function useGroupRequestCards() {
  const requests = useClientState((state) => state.groups.requests);
  const me = useClientState((state) => state.me?.id);
  return requests.map((request) => (
    <GroupRequestCard
      key={request.id}
      request={request}
      isMine={(request.inviterId ?? request.sendId) === me}
      hasGroupName
    />
  ));
}

interface GroupRequestCardProps {
  request: GroupRequestVO;
  /** I sent it and wait for the answer of others. */
  isMine: boolean;
  /** Whether to show the name of the group. */
  hasGroupName?: boolean;
}

/** A request to join a group. */
export function GroupRequestCard({ request, isMine, hasGroupName = false }: GroupRequestCardProps) {
  const t = useText();
  const { answer, isBusy } = useGroupRequestAnswer(request.id);
  const { id, sendId, sendNickName, sendHeadImage, inviterId, inviterNickName, groupName, remark } = request;
  return (
    <RequestCard
      requestId={id}
      person={{ id: sendId, name: sendNickName, picture: sendHeadImage }}
      note={hasGroupName ? t("system.wantsGroup", { group: groupName }) : t("groups.wantsIn")}
      more={inviterId === null ? null : t("system.invitedBy", { name: inviterNickName ?? "" })}
      remark={remark}
    >
      {isMine ? (
        <RequestPendingNote text={t("groups.waiting")} />
      ) : (
        <ApproveOrReject isBusy={isBusy} answer={answer} />
      )}
    </RequestCard>
  );
}
