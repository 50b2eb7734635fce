import { useEffect, useState } from "react";
import { MessageSquare, NotebookPen, Phone, UserRoundPlus, Video } from "lucide-react";
import type { UserInfo } from "@parley/protocol/entities";
import { AvatarOpener } from "../../kit/people/avatar-opener.tsx";
import { useBanned, usePerson } from "../../kit/people/person.ts";
import { DetailHead, DetailName, DetailPage } from "../../kit/people/detail-page.tsx";
import { goUp } from "../../kit/dialogs/go-up.ts";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { BlockedChip, PersonActionsMenu } from "../../kit/people/person-actions-menu.tsx";
import { Presence } from "./presence.tsx";
import { sourceText } from "../../kit/people/use-request-answer.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { KeyValueList, KeyValueRow } from "../../ui/key-value-list.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { AlertsRow } from "./alerts-row.tsx";
import { openChatWith } from "./open-chat-with.ts";
import { RemarkRow } from "./remark-row.tsx";
import styles from "./friend-detail.module.css";

/** The page of a person: what is known about them, and the possible actions. */
export function FriendDetail({ userId }: { userId: number }) {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const person = usePerson(userId);
  const areContactsLoaded = useClientState((state) => state.contacts.isLoaded);
  const friend = useClientState((state) => state.contacts.friends[userId]);
  const user = useClientState((state) => state.contacts.users[userId]);
  useEffect(() => {
    void client.contacts.loadUser(userId);
  }, [client, userId]);
  const isFriend = person.relation === "friend";
  const banned = useBanned(userId);
  const userName = user?.userName ?? friend?.userName;
  const sex = sexText(user?.sex, t);
  const source = sourceText(friend?.source, t);
  const openChat = () => openChatWith(userId);
  return (
    <DetailPage
      backLabel={t("friend.back")}
      onBack={() => goUp("/home/friend")}
      {...(areContactsLoaded &&
        person.relation !== "me" && { more: <PersonActionsMenu userId={userId} name={person.name} /> })}
    >
      <div className={styles.column}>
        <DetailHead
          className={styles.head}
          picture={
            <AvatarOpener name={person.name} url={person.wholePicture} thumbUrl={person.picture}>
              <Avatar name={person.name} url={person.picture} id={userId} size={isMobile ? 72 : 96} />
            </AvatarOpener>
          }
        >
          <Row gap={8}>
            <DetailName>{person.name}</DetailName>
            {sex !== null && <span className={styles.chip}>{sex}</span>}
            <BlockedChip userId={userId} />
          </Row>
          {isFriend && (
            <Text as="p" size={13} line={18} tone="secondary" className={styles.presence}>
              <Presence userId={userId} />
            </Text>
          )}
          {banned !== null && <p className={styles.banned}>{banned}</p>}
          {user?.signature && (
            <Text as="p" tone="secondary" className={styles.signature} dir="auto">
              {user.signature}
            </Text>
          )}
        </DetailHead>
        <Row align="stretch" gap={8} wrap className={styles.actions}>
          {person.relation === "me" ? (
            <Button variant="primary" size="large" icon={<NotebookPen {...ICON_PROPS} />} onClick={openChat}>
              {t("chat.self")}
            </Button>
          ) : isFriend ? (
            <>
              <Button
                variant="primary"
                size="large"
                icon={<MessageSquare {...ICON_PROPS} />}
                onClick={openChat}
              >
                {t("friend.message")}
              </Button>
              <Button
                size="large"
                icon={<Phone {...ICON_PROPS} />}
                onClick={() => client.calls.start(userId, "voice")}
              >
                {t("call.voice")}
              </Button>
              <Button
                size="large"
                icon={<Video {...ICON_PROPS} />}
                onClick={() => client.calls.start(userId, "video")}
              >
                {t("call.video")}
              </Button>
            </>
          ) : (
            areContactsLoaded && (
              <Button
                variant="primary"
                size="large"
                icon={<UserRoundPlus {...ICON_PROPS} />}
                onClick={() => openDialog({ kind: "applyFriend", userId, name: person.name })}
              >
                {t("friend.add")}
              </Button>
            )
          )}
        </Row>
        <KeyValueList>
          {friend !== undefined && isFriend && <RemarkRow friend={friend} />}
          {friend !== undefined && person.relation !== "me" && friend.nickName !== person.name && (
            <KeyValueRow label={t("friend.nickName")} text={<bdi>{friend.nickName}</bdi>} />
          )}
          {userName !== undefined && (
            <KeyValueRow label={t("friend.userName")} text={<bdi>{userName}</bdi>} />
          )}
          {isFriend && source !== null && <KeyValueRow label={t("friend.source")} text={source} />}
          {contactRows(user).map(([label, value]) => (
            <KeyValueRow key={label} label={t(label)} text={<bdi>{value}</bdi>} />
          ))}
          {friend !== undefined && isFriend && <AlertsRow friend={friend} />}
        </KeyValueList>
        {isFriend && (
          <Row as="footer" align="stretch" justify="end" gap={8} wrap paddingY={20}>
            <Button size="small" onClick={() => openDialog({ kind: "recommend", userId, name: person.name })}>
              {t("friend.recommend")}
            </Button>
            <DeleteFriend userId={userId} name={person.name} />
          </Row>
        )}
      </div>
    </DetailPage>
  );
}

function DeleteFriend({ userId, name }: { userId: number; name: string }) {
  const t = useText();
  const client = useClient();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const result = await client.contacts.remove(userId);
    setBusy(false);
    setConfirming(false);
    if (result.ok) goUp("/home/friend");
  };
  return (
    <>
      <Button variant="danger" size="small" onClick={() => setConfirming(true)}>
        {t("friend.delete")}
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        title={t("friend.deleteTitle")}
        body={t("friend.deleteBody", { name })}
        confirmLabel={t("friend.deleteConfirm")}
        cancelLabel={t("app.cancel")}
        isDanger
        isBusy={isBusy}
        onConfirm={() => void remove()}
        onCancel={() => setConfirming(false)}
      />
    </>
  );
}

/** Text for a sex (spec §3): 0 male, 1 female; null if unknown. */
function sexText(sex: number | null | undefined, t: Translate): string | null {
  if (sex === 0) return t("person.male");
  return sex === 1 ? t("person.female") : null;
}

/** The contact details of a person, with the names of their rows: only what the server tells, which depends on who asks. */
export function contactRows(
  user: Pick<UserInfo, "mobile" | "email"> | undefined,
): readonly (readonly ["profile.mobile" | "profile.email", string])[] {
  const rows = [
    ["profile.mobile", user?.mobile?.trim() ?? ""],
    ["profile.email", user?.email?.trim() ?? ""],
  ] as const;
  return rows.filter(([, value]) => value !== "");
}
