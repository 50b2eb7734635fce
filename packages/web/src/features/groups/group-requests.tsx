import { UsersRound } from "lucide-react";
import type { GroupRequestVO } from "@parley/protocol/entities";
import { receivedGroupRequests } from "@parley/core/model/selectors";
import { openDialog } from "../../kit/dialogs.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { useGroupRequestAnswer } from "../../kit/use-request-answer.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ICON } from "../../ui/icon.ts";
import styles from "./group-requests.module.css";

/** Requests to join without an answer, on top of the list: mine to give, and those I wait for. */
export function GroupRequests() {
  const t = useText();
  const requests = useClientState((state) => state.groups.requests);
  const me = useClientState((state) => state.me?.id);
  const count = useClientState(receivedGroupRequests);
  if (requests.length === 0) return null;
  return (
    <section className={styles.requests} aria-label={t("groups.requests")} tabIndex={0}>
      <h2 className={styles.title}>
        <Avatar name="" id={2} size={32} icon={<UsersRound {...ICON} />} />
        <span className={styles.grow}>{t("groups.requests")}</span>
        <Badge count={count} />
      </h2>
      {requests.map((request) => (
        <RequestCard
          key={request.id}
          request={request}
          isMine={(request.inviterId ?? request.sendId) === me}
          namesGroup
        />
      ))}
    </section>
  );
}

interface RequestCardProps {
  request: GroupRequestVO;
  /** I wait for the answer of others. */
  isMine: boolean;
  /** Says which group it is. */
  namesGroup?: boolean;
}

/** One request: who wants to join what, in what words, and the answer. */
export function RequestCard({ request, isMine, namesGroup = false }: RequestCardProps) {
  const t = useText();
  const client = useClient();
  const { answer, isBusy } = useGroupRequestAnswer(request.id);
  const { sendId, sendNickName, sendHeadImage, inviterId, inviterNickName, groupName, remark } = request;
  const note = namesGroup ? t("system.wantsGroup", { group: groupName }) : t("groups.wantsIn");
  return (
    <article className={styles.card} aria-label={sendNickName} data-request={request.id}>
      <button
        type="button"
        className={styles.person}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          openDialog({
            kind: "userCard",
            userId: sendId,
            x: Math.round(box.right + 8),
            y: Math.round(box.top),
          });
        }}
      >
        <span className="visually-hidden">{t("card.open", { name: sendNickName })}</span>
        <Avatar
          name={sendNickName}
          url={sendHeadImage && client.fileUrl(sendHeadImage)}
          id={sendId}
          size={32}
        />
        <span className={styles.words}>
          <span className={styles.name} aria-hidden="true">
            <bdi>{sendNickName}</bdi>
          </span>
          <span className={styles.note}>{note}</span>
        </span>
      </button>
      {inviterId !== null && (
        <p className={styles.remark}>{t("system.invitedBy", { name: inviterNickName ?? "" })}</p>
      )}
      {remark !== "" && (
        <p className={styles.remark} dir="auto">
          {remark}
        </p>
      )}
      {isMine ? (
        <p className={styles.waiting}>{t("groups.waiting")}</p>
      ) : (
        <div className={styles.actions}>
          <Button variant="primary" size="small" isWide isBusy={isBusy} onClick={() => answer("approve")}>
            {t("request.approve")}
          </Button>
          <Button size="small" isWide isBusy={isBusy} onClick={() => answer("reject")}>
            {t("request.reject")}
          </Button>
        </div>
      )}
    </article>
  );
}
