import { UserRoundPlus } from "lucide-react";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { receivedRequests } from "@parley/core/model/selectors";
import { useText } from "../../kit/i18n.ts";
import { ApproveOrReject, RequestActions, RequestCard, RequestsBlock } from "../../kit/request-card.tsx";
import { sourceText } from "../../kit/request-source.ts";
import { useClientState } from "../../kit/use-client.ts";
import { useRequestAnswer } from "../../kit/use-request-answer.ts";
import { Button } from "../../ui/button.tsx";
import { ICON } from "../../ui/icon.ts";

/** Requests without an answer: mine to give, and those I wait for. */
export function Requests() {
  const t = useText();
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  const count = useClientState(receivedRequests);
  if (requests.length === 0) return null;
  return (
    <RequestsBlock title={t("request.title")} icon={<UserRoundPlus {...ICON} />} count={count}>
      {requests.map((request) => (
        <FriendRequest key={request.id} request={request} isMine={request.sendId === me} />
      ))}
    </RequestsBlock>
  );
}

function FriendRequest({ request, isMine }: { request: FriendRequestVO; isMine: boolean }) {
  const t = useText();
  const { answer, isBusy } = useRequestAnswer(request.id);
  const other = isMine
    ? { id: request.recvId, name: request.recvNickName, picture: request.recvHeadImage }
    : { id: request.sendId, name: request.sendNickName, picture: request.sendHeadImage };
  return (
    <RequestCard
      requestId={request.id}
      person={other}
      note={t(isMine ? "request.waiting" : "request.wants")}
      more={isMine ? null : sourceText(request.source, t)}
      remark={request.remark}
    >
      {isMine ? (
        <RequestActions>
          <Button size="small" isWide isBusy={isBusy} onClick={() => answer("recall")}>
            {t("request.recall")}
          </Button>
        </RequestActions>
      ) : (
        <ApproveOrReject isBusy={isBusy} answer={answer} />
      )}
    </RequestCard>
  );
}
