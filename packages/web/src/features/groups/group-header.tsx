import { Copy, MessageSquare, Phone } from "lucide-react";
import { ChatType, GroupRole } from "@parley/protocol/codes";
import type { GroupCard, GroupVO } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { AvatarOpener } from "../../kit/people/avatar-opener.tsx";
import { chatPath } from "../../kit/chats/show-message.ts";
import { DetailHead, DetailName } from "../../kit/people/detail-page.tsx";
import { copyText } from "../../kit/forms/copy-text.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { groupName, membersCountOf } from "../../kit/chats/group.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { smallPictureUrl } from "../../kit/people/person.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useGroupCall } from "../../kit/chats/use-group-call.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Chip } from "../../ui/chip.tsx";
import { AlertIcon } from "../../ui/icons.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../ui/icon-props.ts";
import { Box, Row } from "../../ui/layout.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { PictureButton } from "./picture-button.tsx";
import { useGroupPermission } from "./use-group-membership.ts";
import styles from "./group-detail.module.css";

/** Header of a group that I am or was in: picture, name, member and online counts, my role, and a button to its chat. */
export function GroupHeader({ group }: { group: GroupVO }) {
  const t = useText();
  const client = useClient();
  const isMobile = useIsMobile();
  const canEdit = useGroupPermission(group.id, "editInfo");
  const online = useClientState(({ connection, groups }) => {
    const members = groups.members[group.id];
    if (connection.kind !== "online" || members === undefined || members.order.length === 0) return null;
    return members.order.filter((id) => members.byId[id]?.online === true).length;
  });
  const count = useClientState((state) => membersCountOf(state, group.id));
  const name = groupName(group.id, group, t);
  const size = isMobile ? 72 : 96;
  const picture = group.headImageThumb || group.headImage;
  const statusText = group.dissolve
    ? t("error.group.dissolved", { name: group.name })
    : group.quit
      ? t(group.wasRemoved ? "groups.wasRemoved" : "groups.isOut")
      : group.isBanned
        ? t("error.group.banned", { name: group.name, reason: group.reason ?? "" })
        : null;
  return (
    <>
      <DetailHead
        className={styles.head}
        picture={
          canEdit ? (
            <PictureButton
              name={name}
              id={group.id}
              url={picture}
              size={size}
              onUploaded={({ originUrl, thumbUrl }) =>
                void client.groups.modify(group.id, { headImage: originUrl, headImageThumb: thumbUrl })
              }
            />
          ) : (
            <AvatarOpener
              name={name}
              url={group.headImage ? client.fileUrl(group.headImage) : null}
              thumbUrl={smallPictureUrl(client, group)}
              shape="rounded"
            >
              <Avatar
                name={name}
                url={smallPictureUrl(client, group)}
                id={group.id}
                size={size}
                shape="rounded"
              />
            </AvatarOpener>
          )
        }
      >
        <Row wrap className={styles.nameLine}>
          <DetailName>{name}</DetailName>
          {group.role !== GroupRole.MEMBER && !group.quit && (
            <Chip tone="accent">{t(group.role === GroupRole.OWNER ? "groups.iOwn" : "groups.iManage")}</Chip>
          )}
        </Row>
        {name !== group.name && (
          <Row as="p" gap={4} size={13} tone="secondary" className={styles.meta}>
            <bdi>{group.name}</bdi>
          </Row>
        )}
        <Row as="p" gap={4} size={13} tone="secondary" className={styles.meta}>
          {[
            t("groups.members", { count }),
            ...(online === null || group.quit ? [] : [t("groups.online", { count: online })]),
          ].join(" · ")}
        </Row>
        <NumberLine id={group.id} />
      </DetailHead>
      {statusText !== null && (
        <Box marginBottom={20} className={styles.ended}>
          <Banner icon={<AlertIcon />}>{statusText}</Banner>
        </Box>
      )}
      <Row wrap gap={8} align="stretch" marginBottom={24} className={styles.actions}>
        <Button
          variant="primary"
          size="large"
          icon={<MessageSquare {...ICON_PROPS} />}
          onClick={() => goDown(chatPath(chatKey(ChatType.GROUP, group.id)))}
        >
          {t(group.quit || group.dissolve ? "groups.history" : "friend.message")}
        </Button>
        <CallButton groupId={group.id} />
      </Row>
    </>
  );
}

/** Calls members, or joins the running call, as the button in the header of the conversation does. */
function CallButton({ groupId }: { groupId: number }) {
  const call = useGroupCall(groupId);
  if (call === null) return null;
  return (
    <Button
      size="large"
      icon={<Phone {...ICON_PROPS} />}
      // Not `disabled`: the reason must be reachable with the keyboard.
      aria-disabled={!call.isPossible}
      onClick={call.press}
    >
      {call.label}
    </Button>
  );
}

/** What everybody may see of a group. */
export function GroupTitle({ card }: { card: GroupCard }) {
  const client = useClient();
  return (
    <DetailHead
      className={styles.head}
      picture={
        <Avatar name={card.name} url={smallPictureUrl(client, card)} id={card.id} size={96} shape="rounded" />
      }
    >
      <DetailName>{card.name}</DetailName>
      <NumberLine id={card.id} />
    </DetailHead>
  );
}

/** The number of the group, by which others find it, with a button to copy it. */
function NumberLine({ id }: { id: number }) {
  const t = useText();
  const copy = async () => {
    if (await copyText(String(id))) toasts.success(t("chat.copied"));
    else toasts.error(t("chat.copyRefused"));
  };
  return (
    <Row as="p" gap={4} size={13} tone="secondary" className={styles.meta}>
      {t("groups.numberIs", { id: String(id) })}
      <IconButton label={t("groups.copyNumber")} size={28} onClick={() => void copy()}>
        <Copy {...ICON_PROPS_14} />
      </IconButton>
    </Row>
  );
}
