import { useEffect } from "react";
import { useLocation } from "wouter";
import { ChatType } from "@parley/protocol/codes";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { BlockedChip, PersonActionsMenu } from "../../../kit/people/person-actions-menu.tsx";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useLastSeen, usePerson } from "../../../kit/people/person.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Text } from "../../../ui/layout.tsx";
import { PanelFrame, PanelIdentity } from "./panel-frame.tsx";
import type { PanelProps } from "./panel-frame.tsx";
import { ActionRow, ChatSwitches, NameRow, PartRows, SearchRow } from "./panel-rows.tsx";
import styles from "./panel.module.css";

/** The side panel of a private chat: picture and names, my remark for the person, the settings of the chat (interface §1). */
export function PersonPanel({ userId, onSearch, onPart, ...frame }: PanelProps & { userId: number }) {
  const t = useText();
  const client = useClient();
  const [, navigate] = useLocation();
  const person = usePerson(userId);
  const isKnown = useClientState((state) => state.contacts.isLoaded);
  const signature = useClientState((state) => state.contacts.users[userId]?.signature ?? "");
  useEffect(() => {
    void client.contacts.loadUser(userId);
  }, [client, userId]);
  const isOther = person.relation !== "me";
  return (
    <PanelFrame
      title={t("chat.info")}
      more={isKnown && isOther && <PersonActionsMenu userId={userId} name={person.name} />}
      {...frame}
    >
      <Identity userId={userId} />
      {signature !== "" && (
        <Text as="p" size={13} line={20} tone="secondary" className={styles.signature} dir="auto">
          {signature}
        </Text>
      )}
      <PreferenceRows userId={userId} />
      <SearchRow onSearch={onSearch} />
      <PartRows onPart={onPart} />
      {person.relation === "friend" && (
        <ActionRow onPress={() => navigate(`/home/friend/${userId}`)}>{t("friend.detail")}</ActionRow>
      )}
    </PanelFrame>
  );
}

function Identity({ userId }: { userId: number }) {
  const t = useText();
  const { name, picture, isOnline, relation } = usePerson(userId);
  const presence = useLastSeen(userId);
  const userName = useClientState(
    (state) => state.contacts.users[userId]?.userName ?? state.contacts.friends[userId]?.userName,
  );
  const nickName = useClientState((state) => state.contacts.friends[userId]?.nickName);
  return (
    <PanelIdentity
      picture={<Avatar name={name} url={picture} id={userId} size={56} isOnline={isOnline} />}
      name={name}
      details={
        <>
          {relation === "friend" && <div>{presence}</div>}
          {userName !== undefined && <div>{userName}</div>}
          {relation === "friend" && nickName !== undefined && nickName !== name && (
            <div>
              {t("friend.nickName")} <bdi>{nickName}</bdi>
            </div>
          )}
          <BlockedChip userId={userId} />
        </>
      }
    />
  );
}

/** The settings of the chat. Without friendship a pinned chat can only be unpinned. */
function PreferenceRows({ userId }: { userId: number }) {
  const t = useText();
  const { contacts } = useClient();
  const key = chatKey(ChatType.PRIVATE, userId);
  const friend = useClientState(({ contacts: { friends } }) =>
    friends[userId]?.isDeleted === false ? friends[userId] : undefined,
  );
  return (
    <div className={styles.rows}>
      {friend !== undefined && (
        <NameRow
          label={t("friend.remark")}
          shown={friend.remarkNickName || t("friend.noRemark")}
          value={friend.remarkNickName ?? ""}
          placeholder={friend.nickName}
          onSave={async (name) => (await contacts.setRemark(userId, name)).ok}
        />
      )}
      <ChatSwitches chatKey={key} />
    </div>
  );
}
