import { useState } from "react";
import type { PeoplePage } from "@parley/protocol/endpoints/message-extras";
import type { Result } from "@parley/core/model/state";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { tipTime } from "../../../kit/i18n/time-text.ts";
import { useMember } from "../../../kit/chats/group.ts";
import { useLoaded } from "../../../kit/loading/use-loaded.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SearchIllustration } from "../../../ui/illustrations.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { groupIdOf } from "./reactions/reaction-acts.ts";
import styles from "./message-dialogs.module.css";

interface PeoplePagesProps {
  /** Loads the page after this place. */
  load: (after: number) => Promise<Result<PeoplePage>>;
  /** The page is loaded again when it changes. */
  version: string;
  /** Where the page begins. */
  after?: number;
}

/** Those who did something to a message: a page of them, and the pages behind it that are asked for. */
export function PeoplePages({ load, version, after = 0 }: PeoplePagesProps) {
  const t = useText();
  const [hasMore, setMore] = useState(false);
  const { value, failure, reload } = useLoaded(() => load(after), `${version} ${after}`);
  if (value === null) {
    if (failure === null) return <SkeletonRows />;
    return (
      <EmptyState
        illustration={<SearchIllustration />}
        text={failureText(failure, t)}
        action={<Button onClick={reload}>{t("app.retry")}</Button>}
      />
    );
  }
  const { people, next } = value;
  return (
    <>
      {people.map((person) => (
        <PersonRow key={person.userId} {...person} />
      ))}
      {next !== null &&
        (hasMore ? (
          <PeoplePages load={load} version={version} after={next} />
        ) : (
          <Row justify="center" padding={12}>
            <Button onClick={() => setMore(true)}>{t("reaction.showMore")}</Button>
          </Row>
        ))}
    </>
  );
}

function PersonRow({ userId, nickName, at }: { userId: number; nickName: string; at: number }) {
  const t = useText();
  const locale = useLocale();
  const { key } = useConversationUi();
  const { name, picture } = useMember(groupIdOf(key), userId, nickName);
  return (
    <Row gap={12} paddingX={24} className={styles.row}>
      <Avatar name={name} url={picture} id={userId} size={32} />
      <Text grow truncate>
        <bdi>{name}</bdi>
      </Text>
      <Text as="time" size={12} tone="tertiary" nowrap dateTime={new Date(at).toISOString()}>
        {tipTime(at, Date.now(), locale, t)}
      </Text>
    </Row>
  );
}
