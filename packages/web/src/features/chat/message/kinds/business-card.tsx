import { ContactRound } from "lucide-react";
import type { Client } from "@parley/core/client-api";
import { parseObject } from "@parley/core/model/parse-object";
import type { ChatKey } from "@parley/core/model/state";
import { MessageType, RequestSource } from "@parley/protocol/codes";
import { businessCardContent } from "@parley/protocol/message";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { lazyComponent } from "../../../../kit/loading/lazy-component.tsx";
import { openUserCard } from "../../../../kit/dialogs/open-dialog.ts";
import { usePerson } from "../../../../kit/people/person.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Stack, Text } from "../../../../ui/layout.tsx";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./kinds.tsx";
import styles from "./kinds.module.css";

/** A contact card. A click opens the full user card. */
function CardBubble(props: BubbleProps) {
  const parsed = businessCardContent.safeParse(parseObject(props.message.content));
  if (!parsed.success) return <UnsupportedBubble {...props} />;
  return (
    <BubbleFrame {...props} variant="card">
      <UserCardButton {...parsed.data} />
    </BubbleFrame>
  );
}

interface UserCardButtonProps {
  userId: number;
  nickName: string;
  headImage: string | null;
}

function UserCardButton({ userId, nickName, headImage }: UserCardButtonProps) {
  const t = useText();
  const client = useClient();
  const person = usePerson(userId);
  // Only files of the server are shown: the content of a card comes from its sender.
  const cardPicture = headImage?.startsWith("/files/") === true ? client.fileUrl(headImage) : null;
  const name = person.relation === "stranger" ? nickName || person.name : person.name;
  return (
    <>
      <button
        type="button"
        className={styles.card}
        aria-label={t("card.open", { name })}
        onClick={(event) => openUserCard(userId, event.currentTarget, RequestSource.CARD)}
      >
        <Avatar name={name} url={person.picture ?? cardPicture} id={userId} size={40} />
        <Stack as="span" grow>
          <Text line={20} weight="name" dir="auto">
            {name}
          </Text>
        </Stack>
      </button>
      <span className={styles.kind}>{t("chat.card")}</span>
    </>
  );
}

export const businessCard: MessageKind = {
  Bubble: CardBubble,
  menuItem: {
    icon: ContactRound,
    label: "compose.card",
    Dialog: lazyComponent(() => import("./send-card-dialog.tsx").then((part) => part.SendCardDialog)),
  },
};

/** Sends the contact card of a friend, or one's own, to a chat. Says whether this person has one. */
export function sendCard(client: Client, to: ChatKey, userId: number): boolean {
  const { contacts, me } = client.getState();
  const person = userId === me?.id ? me : contacts.friends[userId];
  if (person === undefined) return false;
  const headImage = person.headImageThumb || person.headImage || null;
  const card = { userId, nickName: person.nickName, headImage };
  client.chats.sendContent(to, MessageType.BUSINESS_CARD, JSON.stringify(card));
  return true;
}
