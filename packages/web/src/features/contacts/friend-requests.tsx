import { ChevronLeft, UserRoundPlus } from "lucide-react";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { receivedRequestCount } from "@parley/core/model/selectors";
import { goDown, goUp } from "../../kit/go-up.ts";
import { useText } from "../../kit/i18n.ts";
import { ApproveOrReject, RequestActions, RequestCard, RequestsBlock } from "../../kit/request-card.tsx";
import { sourceText } from "../../kit/request-source.ts";
import { useClientState } from "../../kit/use-client.ts";
import { useRequestAnswer } from "../../kit/use-request-answer.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { RequestsIllustration } from "../../ui/lazy-illustrations.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { openChatWith } from "./open-chat-with.ts";
import styles from "./friend-requests.module.css";

/** Number of requests shown above the list of friends. */
const SHOWN_MAX = 2;

const REQUESTS_PATH = "/home/friend/requests";

/** Unanswered requests above the list, received and sent ones. If there are more, a button leads to the page with all of them. */
export function FriendRequests() {
  const t = useText();
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  const count = useClientState(receivedRequestCount);
  if (requests.length === 0) return null;
  return (
    <RequestsBlock
      title={t("request.title")}
      icon={<UserRoundPlus {...ICON_PROPS} />}
      count={count}
      {...(requests.length > SHOWN_MAX && {
        more: (
          <Button variant="ghost" size="small" onClick={() => goDown(REQUESTS_PATH)}>
            {t("request.all", { count: requests.length })}
          </Button>
        ),
      })}
    >
      {requests.slice(0, SHOWN_MAX).map((request) => (
        <FriendRequestCard key={request.id} request={request} isMine={request.sendId === me} />
      ))}
    </RequestsBlock>
  );
}

/** `/home/friend/requests`: all unanswered requests. */
export function FriendRequestsPage() {
  const t = useText();
  const isMobile = useIsMobile();
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  const isLoaded = useClientState((state) => state.contacts.isLoaded);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        {isMobile && (
          <IconButton label={t("friend.back")} onClick={() => goUp("/home/friend")}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        <h1 className={styles.title}>{t("request.title")}</h1>
      </header>
      {requests.length === 0 && !isLoaded ? (
        <SkeletonRows />
      ) : requests.length === 0 ? (
        <EmptyState illustration={<RequestsIllustration />} text={t("request.none")} />
      ) : (
        <div className={styles.column}>
          {requests.map((request) => (
            <FriendRequestCard key={request.id} request={request} isMine={request.sendId === me} />
          ))}
        </div>
      )}
    </div>
  );
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
