import { ChatType, RequestStatus } from "@parley/protocol/codes";
import type { FriendRequestVO, GroupRequestVO } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { chatPath } from "../../../kit/chats/show-message.ts";
import { goDown } from "../../../kit/dialogs/go-up.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import {
  sourceText,
  useGroupRequestAnswer,
  useRequestAnswer,
} from "../../../kit/people/use-request-answer.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import { openUserCard } from "../../../kit/dialogs/open-dialog.ts";
import styles from "./system-card.module.css";

/** A friend request, with buttons to approve or reject it. */
export function FriendRequestBody({ request }: { request: FriendRequestVO }) {
  const t = useText();
  const source = sourceText(request.source, t);
  const answering = useRequestAnswer(request.id, (userId) =>
    goDown(chatPath(chatKey(ChatType.PRIVATE, userId))),
  );
  return (
    <>
      {source !== null && <p className={styles.text}>{source}</p>}
      <RequestBody request={request} {...answering} />
    </>
  );
}

/** A request or invitation to join a group that I own or administer. */
export function GroupRequestBody({ request }: { request: GroupRequestVO }) {
  const t = useText();
  const { groupName, inviterId, inviterNickName } = request;
  const lines = [
    t("system.wantsGroup", { group: groupName }),
    ...(inviterId === null ? [] : [t("system.invitedBy", { name: inviterNickName ?? "" })]),
  ];
  return (
    <>
      <p className={styles.text} dir="auto">
        {lines.join(" · ")}
      </p>
      <RequestBody request={request} {...useGroupRequestAnswer(request.id)} />
    </>
  );
}

interface RequestBodyProps {
  request: Pick<FriendRequestVO, "sendId" | "sendNickName" | "sendHeadImage" | "remark" | "status">;
  isBusy: boolean;
  answer: (decision: "approve" | "reject") => void;
}

function RequestBody({ request, isBusy, answer }: RequestBodyProps) {
  const t = useText();
  const client = useClient();
  const picture = request.sendHeadImage === null ? null : client.fileUrl(request.sendHeadImage);
  return (
    <>
      {request.remark !== "" && (
        <p className={styles.text} dir="auto">
          {t("request.quoted", { text: request.remark })}
        </p>
      )}
      <Row gap={8} paddingX={12} paddingY={8} className={styles.person}>
        <Avatar name={request.sendNickName} url={picture} id={request.sendId} size={32} />
        <Text truncate weight="name">
          <bdi>{request.sendNickName}</bdi>
        </Text>
      </Row>
      <Row align="stretch" gap={8} wrap className={styles.actions}>
        {request.status === RequestStatus.PENDING && (
          <>
            <Button variant="primary" size="small" isBusy={isBusy} onClick={() => answer("approve")}>
              {t("request.approve")}
            </Button>
            <Button size="small" isBusy={isBusy} onClick={() => answer("reject")}>
              {t("request.reject")}
            </Button>
          </>
        )}
        <Button
          variant="ghost"
          size="small"
          onClick={(event) => openUserCard(request.sendId, event.currentTarget)}
        >
          {t("card.view")}
        </Button>
      </Row>
    </>
  );
}
