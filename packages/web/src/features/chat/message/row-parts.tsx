import { useMemo } from "react";
import { RequestSource } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import type { Text } from "../../../kit/i18n.ts";
import { lazyHook } from "../../../kit/lazy-hook.ts";
import { openUserCard } from "../../../kit/open-user-card.ts";
import type { Person } from "../../../kit/person.ts";
import { RoleChip } from "../../../kit/role-chip.tsx";
import { useClient } from "../../../kit/use-client.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { avatarColour } from "../../../ui/initials.ts";
import { useConversationUi } from "./conversation-ui.ts";
import type { DeliveryStatus } from "./delivery-status.ts";
import styles from "./message-row.module.css";

/** Only groups need them. */
const useAvatarGestures = lazyHook(() => import("../group-modules.ts").then((part) => part.avatarGestures));

/** The avatar beside the first message of a run. */
export function RowAvatar({ sender, message }: { sender: Person; message: ChatMessage }) {
  return message.selfSend ? (
    <PersonAvatar person={sender} />
  ) : (
    <SenderAvatar sender={sender} message={message} />
  );
}

/** Name and role of a group member, above the first message of a run. */
export function SenderLine({ sender, role }: { sender: Person; role: number }) {
  return (
    <div className={styles.sender} data-text>
      <bdi className={styles.name} style={{ color: `var(--name${avatarColour(sender.id)})` }}>
        {sender.name}
      </bdi>
      <RoleChip role={role} />
    </div>
  );
}

function PersonAvatar({ person: { id, name, picture } }: { person: Person }) {
  return <Avatar name={name} url={picture} id={id} size={36} />;
}

/** The avatar of somebody else. A click opens their card; members of a group have more gestures. */
function SenderAvatar({ sender, message }: { sender: Person; message: ChatMessage }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isGroup = message.group !== null;
  const avatarGestures = useAvatarGestures(isGroup);
  const { sendId: userId, sendNickName: name } = message;
  const gestures = useMemo(
    () => avatarGestures?.(client, ui, { userId, name }),
    [avatarGestures, client, ui, userId, name],
  );
  return (
    <button
      type="button"
      className={styles.avatar}
      aria-label={t("card.open", { name: sender.name })}
      {...gestures}
      onClick={(event) =>
        openUserCard(sender.id, event.currentTarget, isGroup ? RequestSource.GROUP : undefined)
      }
    >
      <PersonAvatar person={sender} />
    </button>
  );
}

/** The delivery status in words. */
export function statusText(status: DeliveryStatus | null, t: Text): string | null {
  if (status === null) return null;
  if (typeof status === "object") return t("chat.waitingNetwork", { count: status.waiting });
  return t(status === "read" ? "chat.read" : "chat.unread");
}
