import { RequestSource } from "@parley/protocol/codes";
import { businessCardContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n.ts";
import { usePerson } from "../../../../kit/person.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { openUserCard } from "../../../../kit/open-user-card.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";
import styles from "./card-bubbles.module.css";

/** A contact card. A click opens the full user card. */
export function CardBubble(props: BubbleProps) {
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
        <span className={styles.facts}>
          <span className={styles.title} dir="auto">
            {name}
          </span>
        </span>
      </button>
      <span className={styles.kind}>{t("chat.card")}</span>
    </>
  );
}
