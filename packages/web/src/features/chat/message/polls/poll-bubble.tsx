import type { KeyboardEvent } from "react";
import { Plus } from "lucide-react";
import { unsentActsOf } from "@parley/core/model/chats/extras";
import { type ShownOption, type ShownPoll, shownPoll, votesAfter } from "@parley/core/model/chats/polls";
import type { ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { CheckMark } from "../../../../ui/check-mark.tsx";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../../ui/layout.tsx";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { useCanVote, useMessageActions } from "../message-actions.ts";
import { moveBetweenButtons } from "../reactions/reaction-button.tsx";
import { endText, hasVoters, takesOptions } from "./poll-acts.ts";
import styles from "./polls.module.css";

/** A poll: its options with what people chose, and buttons to vote while it goes on. */
export function PollBubble(props: BubbleProps) {
  const { message } = props;
  const unsent = useClientState((state) => unsentActsOf(message, state));
  const clockAheadMs = useClientState((state) => state.clockAheadMs);
  // When it ends, the server tells it, and the message is shown anew.
  const shown = shownPoll(message, Date.now() - clockAheadMs, unsent);
  if (shown === null) return null;
  return (
    <BubbleFrame {...props} variant="card">
      <Poll message={message} shown={shown} />
    </BubbleFrame>
  );
}

function Poll({ message, shown }: { message: ChatMessage; shown: ShownPoll }) {
  const t = useText();
  const locale = useLocale();
  const canVote = useCanVote(message);
  const runAction = useMessageActions();
  const { poll, unsentOptions, voters, isClosed } = shown;
  const isResultHidden = poll.hidden && poll.closedAt === undefined;
  const rules = [
    poll.max === 1 ? t("poll.one") : t("poll.upTo", { max: poll.max }),
    poll.secret ? t("poll.secret") : null,
    poll.addable === true ? t("poll.addable") : null,
    endText(poll, isClosed, locale, t),
  ];
  return (
    <Stack gap={8} className={styles.poll} data-poll>
      <Text weight="name" line={20} dir="auto">
        {poll.question}
      </Text>
      <Text size={12} line={16} className={styles.note}>
        {rules.filter(Boolean).join(" · ")}
      </Text>
      <Options message={message} shown={shown} canVote={canVote} />
      {unsentOptions.map((text) => (
        <UnsentOption key={text} text={text} />
      ))}
      {canVote && takesOptions(message) && (
        <button
          type="button"
          className={classNames(styles.option, styles.add)}
          onClick={() => runAction("addPollOption", message)}
        >
          <span className={styles.mark}>
            <Plus {...ICON_PROPS} />
          </span>
          {t("poll.addOption")}
        </button>
      )}
      <Row gap={8} justify="between" wrap size={12} line={16} className={styles.note}>
        <span>
          {voters === 0 ? t("poll.noVotes") : t("poll.voters", { count: voters })}
          {isResultHidden && ` · ${t("poll.resultHidden")}`}
        </span>
        {hasVoters(message) && (
          <button type="button" className={styles.link} onClick={() => runAction("voters", message)}>
            {t("poll.people")}
          </button>
        )}
      </Row>
    </Stack>
  );
}

/** An option that I add. Nobody can vote for it before the server has it. */
function UnsentOption({ text }: { text: string }) {
  const t = useText();
  return (
    <div
      className={classNames(styles.option, styles.unsent)}
      role="img"
      aria-label={t("poll.beingAdded", { text })}
    >
      <span className={styles.mark} />
      <bdi className={styles.text}>{text}</bdi>
    </div>
  );
}

interface OptionsProps {
  message: ChatMessage;
  shown: ShownPoll;
  canVote: boolean;
}

function Options({ message, shown, canVote }: OptionsProps) {
  const { poll, options } = shown;
  const isSingle = poll.max === 1;
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!moveBetweenButtons(event, "column")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = Math.max(
    0,
    options.findIndex(({ isMine }) => isMine),
  );
  return (
    <Stack
      gap={4}
      role={canVote && isSingle ? "radiogroup" : "group"}
      aria-label={poll.question}
      className={classNames(shown.isUnsent && styles.unsent)}
      onKeyDown={handleKeyDown}
    >
      {options.map((option, index) => (
        <Option
          key={option.key}
          message={message}
          shown={shown}
          option={option}
          canVote={canVote}
          tabIndex={index === first ? 0 : -1}
        />
      ))}
    </Stack>
  );
}

interface OptionProps extends OptionsProps {
  option: ShownOption;
  tabIndex: number;
}

function Option({ message, shown, option, canVote, tabIndex }: OptionProps) {
  const t = useText();
  const { chats } = useClient();
  const { key } = useConversationUi();
  const { text, count, isMine } = option;
  const percent = count === null || shown.voters === 0 ? 0 : Math.round((100 * count) / shown.voters);
  const result = count === null ? null : t("poll.result", { count, percent });
  const content = (
    <>
      <span className={styles.mark}>{(canVote || isMine) && <CheckMark isOn={isMine} />}</span>
      <Stack as="span" gap={4} grow>
        <Row as="span" gap={8} justify="between" align="baseline">
          <bdi className={styles.text}>{text}</bdi>
          {result !== null && (
            <Text size={12} nowrap className={styles.note}>
              {result}
            </Text>
          )}
        </Row>
        {result !== null && (
          <span className={styles.bar}>
            <span className={styles.share} style={{ inlineSize: `${percent}%` }} />
          </span>
        )}
      </Stack>
    </>
  );
  const label = [text, result, isMine && !canVote ? t("poll.mine") : null];
  const name = label.filter(Boolean).join(t("app.listSeparator"));
  if (!canVote)
    return (
      <div className={styles.option} role="img" aria-label={name}>
        {content}
      </div>
    );
  return (
    <button
      type="button"
      role={shown.poll.max === 1 ? "radio" : "checkbox"}
      aria-checked={isMine}
      aria-label={name}
      className={styles.option}
      tabIndex={tabIndex}
      onClick={() => {
        if (message.id !== null) chats.vote(key, message.id, votesAfter(shown, option.key));
      }}
    >
      {content}
    </button>
  );
}
