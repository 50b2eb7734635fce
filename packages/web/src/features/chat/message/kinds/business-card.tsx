import { ContactRound } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import { businessCardContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n.ts";
import { lazyComponent } from "../../../../kit/lazy-component.tsx";
import { usePerson } from "../../../../kit/person.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { openUserCard } from "../../../../kit/open-user-card.ts";
import { BubbleFrame } from "../bubbles/bubble-frame.tsx";
import type { BubbleProps } from "../bubbles/bubble-frame.tsx";
import { UnsupportedBubble } from "../bubbles/unsupported-bubble.tsx";
import type { MessageKind } from "./message-kind.ts";
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
        <span className={styles.details}>
          <span className={styles.title} dir="auto">
            {name}
          </span>
        </span>
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
