import { UserRoundPlus } from "lucide-react";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { receivedRequestCount } from "@parley/core/model/selectors";
import { useText } from "../../kit/i18n.ts";
import { ApproveOrReject, RequestActions, RequestCard, RequestsBlock } from "../../kit/request-card.tsx";
import { sourceText } from "../../kit/request-source.ts";
import { RequestsPage } from "../../kit/requests-page.tsx";
import { useClientState } from "../../kit/use-client.ts";
import { useRequestAnswer } from "../../kit/use-request-answer.ts";
import { Button } from "../../ui/button.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { openChatWith } from "./open-chat-with.ts";

/** Unanswered requests above the list of friends. */
export function FriendRequests() {
  const t = useText();
  const cards = useFriendRequestCards();
  const count = useClientState(receivedRequestCount);
  if (cards.length === 0) return null;
  return (
    <RequestsBlock
      title={t("request.title")}
      icon={<UserRoundPlus {...ICON_PROPS} />}
      count={count}
      allPath="/home/friend/requests"
      cards={cards}
    />
  );
}

/** `/home/friend/requests`: all unanswered requests. */
export function FriendRequestsPage() {
  const t = useText();
  const isLoaded = useClientState((state) => state.contacts.isLoaded);
  return (
    <RequestsPage
      title={t("request.title")}
      parentPath="/home/friend"
      isLoaded={isLoaded}
      cards={useFriendRequestCards()}
    />
  );
}

function useFriendRequestCards() {
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  return requests.map((request) => (
    <FriendRequestCard key={request.id} request={request} isMine={request.sendId === me} />
  ));
}

function FriendRequestCard({ request, isMine }: { request: FriendRequestVO; isMine: boolean }) {
  const t = useText();
  const { answer, isBusy } = useRequestAnswer(request.id, openChatWith);
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
