import { UserRoundPlus } from "lucide-react";
import type { FriendRequestVO } from "@parley/protocol/entities";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { receivedRequests } from "@parley/core/model/selectors";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { useRequestAnswer } from "../../kit/use-request-answer.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ICON } from "../../ui/icon.ts";
import styles from "./requests.module.css";

/** Requests without an answer: mine to give, and those I wait for. */
export function Requests() {
  const t = useText();
  const requests = useClientState((state) => state.contacts.requests);
  const me = useClientState((state) => state.me?.id);
  const count = useClientState(receivedRequests);
  if (requests.length === 0) return null;
  return (
    <section className={styles.requests} aria-label={t("request.title")} tabIndex={0}>
      <h2 className={styles.title}>
        <Avatar name="" id={2} size={32} icon={<UserRoundPlus {...ICON} />} />
        <span className={styles.grow}>{t("request.title")}</span>
        <Badge count={count} />
      </h2>
      {requests.map((request) => (
        <RequestCard key={request.id} request={request} isMine={request.sendId === me} />
      ))}
    </section>
  );
}

function RequestCard({ request, isMine }: { request: FriendRequestVO; isMine: boolean }) {
  const t = useText();
  const client = useClient();
  const { answer, isBusy } = useRequestAnswer(request.id);
  const other = isMine
    ? { id: request.recvId, name: request.recvNickName, picture: request.recvHeadImage }
    : { id: request.sendId, name: request.sendNickName, picture: request.sendHeadImage };
  return (
    <article className={styles.card} aria-label={other.name} data-request={request.id}>
      <button
        type="button"
        className={styles.person}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          openDialog({
            kind: "userCard",
            userId: other.id,
            x: Math.round(box.right + 8),
            y: Math.round(box.top),
          });
        }}
      >
        <span className="visually-hidden">{t("card.open", { name: other.name })}</span>
        <Avatar
          name={other.name}
          url={other.picture === null ? null : client.fileUrl(other.picture)}
          id={other.id}
          size={32}
        />
        <span className={styles.words}>
          <span className={styles.name} aria-hidden="true">
            <bdi>{other.name}</bdi>
          </span>
          <span className={styles.note}>{t(isMine ? "request.waiting" : "request.wants")}</span>
        </span>
      </button>
      {request.remark !== "" && (
        <p className={styles.remark} dir="auto">
          {request.remark}
        </p>
      )}
      <div className={styles.actions}>
        {isMine ? (
          <Button size="small" isWide isBusy={isBusy} onClick={() => answer("recall")}>
            {t("request.recall")}
          </Button>
        ) : (
          <>
            <Button variant="primary" size="small" isWide isBusy={isBusy} onClick={() => answer("approve")}>
              {t("request.approve")}
            </Button>
            <Button size="small" isWide isBusy={isBusy} onClick={() => answer("reject")}>
              {t("request.reject")}
            </Button>
          </>
        )}
      </div>
    </article>
  );
}
