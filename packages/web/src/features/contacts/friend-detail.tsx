import { useEffect, useState } from "react";
import { ChevronLeft, MessageSquare, NotebookPen, UserRoundPlus } from "lucide-react";
import { useLocation } from "wouter";
import { useBanned } from "../../kit/banned.ts";
import { openDialog } from "../../kit/open-dialog.ts";
import { type Text, useText } from "../../kit/i18n.ts";
import { usePerson, usePresence } from "../../kit/person.ts";
import { BlockedChip, PersonActionsMenu } from "../../kit/person-actions-menu.tsx";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ICON_PROPS, ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import { RemarkRow } from "./remark-row.tsx";
import { useOpenChat } from "./use-open-chat.ts";
import styles from "./friend-detail.module.css";

/** The page of a person: what is known about them, and the possible actions. */
export function FriendDetail({ userId }: { userId: number }) {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  const person = usePerson(userId);
  const presence = usePresence(userId);
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
  const openChatWith = useOpenChat();
  const openChat = () => openChatWith(userId);
  return (
    <div className={styles.detail}>
      <header className={styles.bar}>
        {isMobile && (
          <IconButton label={t("friend.back")} onClick={() => navigate("/home/friend")}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        {areContactsLoaded && person.relation !== "me" && (
          <span className={styles.more}>
            <PersonActionsMenu userId={userId} name={person.name} />
          </span>
        )}
      </header>
      <div className={styles.column}>
        <div className={styles.head}>
          <Avatar name={person.name} url={person.picture} id={userId} size={isMobile ? 72 : 96} />
          <div className={styles.words}>
            <div className={styles.nameLine}>
              <h1 className={styles.name}>
                <bdi>{person.name}</bdi>
              </h1>
              {sex !== null && <span className={styles.chip}>{sex}</span>}
              <BlockedChip userId={userId} />
            </div>
            {isFriend && (
              <p className={classNames(styles.presence, person.isOnline && styles.online)}>{presence}</p>
            )}
            {banned !== null && <p className={styles.banned}>{banned}</p>}
            {user?.signature && (
              <p className={styles.signature} dir="auto">
                {user.signature}
              </p>
            )}
          </div>
        </div>
        <div className={styles.actions}>
          {person.relation === "me" ? (
            <Button variant="primary" size="large" icon={<NotebookPen {...ICON_PROPS} />} onClick={openChat}>
              {t("chat.self")}
            </Button>
          ) : isFriend ? (
            <Button
              variant="primary"
              size="large"
              icon={<MessageSquare {...ICON_PROPS} />}
              onClick={openChat}
            >
              {t("friend.message")}
            </Button>
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
        </div>
        <dl className={styles.rows}>
          {friend !== undefined && isFriend && <RemarkRow friend={friend} />}
          {friend !== undefined && person.relation !== "me" && friend.nickName !== person.name && (
            <DetailRow label={t("friend.nickName")} value={friend.nickName} />
          )}
          {userName !== undefined && <DetailRow label={t("friend.userName")} value={userName} />}
        </dl>
        {isFriend && (
          <footer className={styles.footer}>
            <DeleteFriend userId={userId} name={person.name} />
          </footer>
        )}
      </div>
    </div>
  );
}

function DetailRow({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function DeleteFriend({ userId, name }: { userId: number; name: string }) {
  const t = useText();
  const client = useClient();
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const result = await client.contacts.remove(userId);
    setBusy(false);
    setConfirming(false);
    if (result.ok) navigate("/home/friend");
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
function sexText(sex: number | null | undefined, t: Text): string | null {
  if (sex === 0) return t("person.male");
  return sex === 1 ? t("person.female") : null;
}
