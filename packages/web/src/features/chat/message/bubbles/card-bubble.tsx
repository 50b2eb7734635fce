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

/** Somebody's card; a press opens the whole of it. */
export function CardBubble(props: BubbleProps) {
  const read = businessCardContent.safeParse(parseObject(props.message.content));
  if (!read.success) return <UnsupportedBubble {...props} />;
  return (
    <BubbleFrame {...props} look="card">
      <UserCardButton {...read.data} />
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
  const known = usePerson(userId);
  // Only files of the server are shown: a card is what somebody wrote.
  const told = headImage?.startsWith("/files/") === true ? client.fileUrl(headImage) : null;
  const name = known.relation === "stranger" ? nickName || known.name : known.name;
  return (
    <>
      <button
        type="button"
        className={styles.card}
        aria-label={t("card.open", { name })}
        onClick={(event) => openUserCard(userId, event.currentTarget, RequestSource.CARD)}
      >
        <Avatar name={name} url={known.picture ?? told} id={userId} size={40} />
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
