import { Copy, NotebookPen, UserRoundPlus, UsersRound } from "lucide-react";
import type { ReactNode } from "react";
import { ChatType } from "@parley/protocol/codes";
import type { UserInfo } from "@parley/protocol/entities";
import { chatKey } from "@parley/core/model/chats/chat-rows";
import { chatPath } from "../../kit/chats/show-message.ts";
import { copyText } from "../../kit/forms/copy-text.ts";
import { goDown } from "../../kit/dialogs/go-up.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Card, Row, Stack, Text } from "../../ui/layout.tsx";
import { WelcomeIllustration } from "../../ui/lazy-illustrations.tsx";
import styles from "./welcome.module.css";

/** The welcome page for a person without friends and groups: how others can find them, and what to do first. */
export function Welcome({ me }: { me: UserInfo }) {
  const t = useText();
  return (
    <section className={styles.welcome} aria-label={t("welcome.label")}>
      <svg className={styles.illustration} viewBox="0 0 96 96" fill="none" aria-hidden="true">
        <WelcomeIllustration />
      </svg>
      <Text as="h2" size={20} weight="title" className={styles.title}>
        <bdi>{t("welcome.title", { name: me.nickName || me.userName })}</bdi>
      </Text>
      <p className={styles.text}>{t("welcome.share")}</p>
      <UserName name={me.userName} />
      <Stack as="ul" gap={8} shrink={false} className={styles.steps}>
        <Step
          icon={<UserRoundPlus {...ICON_PROPS} />}
          title={t("friend.add")}
          hint={t("welcome.friendHint")}
          onGo={() => openDialog({ kind: "addFriend" })}
        />
        <Step
          icon={<UsersRound {...ICON_PROPS} />}
          title={t("groups.create")}
          hint={t("welcome.groupHint")}
          onGo={() => openDialog({ kind: "createGroup" })}
        />
        <Step
          icon={<NotebookPen {...ICON_PROPS} />}
          title={t("chat.self")}
          hint={t("welcome.notesHint")}
          onGo={() => goDown(chatPath(chatKey(ChatType.PRIVATE, me.id)))}
        />
      </Stack>
    </section>
  );
}

function UserName({ name }: { name: string }) {
  const t = useText();
  const copy = async () => {
    if (await copyText(name)) toasts.success(t("chat.copied"));
    else toasts.error(t("chat.copyRefused"));
  };
  return (
    <Card direction="row" gap={12} shrink={false} className={styles.userName}>
      <Stack as="span" grow textAlign="start">
        <Text size={12} line={16} tone="tertiary">
          {t("login.username")}
        </Text>
        <Text size={16} line={24} weight="name" dir="ltr">
          {name}
        </Text>
      </Stack>
      <Button size="small" icon={<Copy {...ICON_PROPS_16} />} onClick={() => void copy()}>
        {t("act.copy")}
      </Button>
    </Card>
  );
}

interface StepProps {
  icon: ReactNode;
  title: string;
  hint: string;
  onGo: () => void;
}

function Step({ icon, title, hint, onGo }: StepProps) {
  return (
    <li>
      <Card as="button" type="button" direction="row" gap={12} className={styles.step} onClick={onGo}>
        <Row as="span" justify="center" shrink={false} tone="accent">
          {icon}
        </Row>
        <Stack as="span" grow textAlign="start">
          <Text line={20} weight="name">
            {title}
          </Text>
          <Text size={12} line={16} tone="tertiary">
            {hint}
          </Text>
        </Stack>
      </Card>
    </li>
  );
}
