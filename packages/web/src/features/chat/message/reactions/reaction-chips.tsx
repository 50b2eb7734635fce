import { type KeyboardEvent, type MouseEvent, useMemo } from "react";
import { Plus } from "lucide-react";
import { type ShownTally, shownTallies, unsentActsOf } from "@parley/core/model/chats/extras";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import { Row, Text } from "../../../../ui/layout.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { useCanReact } from "../message-actions.ts";
import { reactorNamesIn, showReactions, toggleReaction } from "./reaction-acts.ts";
import { moveBetweenButtons, ReactionButton } from "./reaction-button.tsx";
import { reactionName, ReactionSymbol } from "./reaction-symbol.tsx";
import styles from "./reactions.module.css";

interface ReactionChipsProps {
  message: ChatMessage;
  /** Which of several messages it is, e.g. of the pictures of a grid. */
  title?: string;
}

/** The reactions to a message, if there are any. */
export function ReactionChips({ message, title }: ReactionChipsProps) {
  const me = useClientState(myIdOf);
  const unsent = useClientState((state) => unsentActsOf(message, state));
  const tallies = useMemo(() => shownTallies(message, "reactions", me, unsent), [message, me, unsent]);
  return tallies.length === 0 ? null : <ChipRow message={message} tallies={tallies} title={title} />;
}

interface ChipRowProps {
  message: ChatMessage;
  tallies: readonly ShownTally[];
  title: string | undefined;
}

function ChipRow({ message, tallies, title }: ChipRowProps) {
  const t = useText();
  const canReact = useCanReact(message);
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!moveBetweenButtons(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const label = t("reaction.title");
  return (
    <Row
      wrap
      gap={4}
      justify={message.selfSend ? "end" : undefined}
      className={styles.chips}
      role="group"
      aria-label={title === undefined ? label : `${title}${t("app.listSeparator")}${label}`}
      data-reactions
      onKeyDown={handleKeyDown}
    >
      {title !== undefined && (
        <Text size={12} tone="tertiary" aria-hidden="true">
          {title}
        </Text>
      )}
      {tallies.map((tally, index) => (
        <ReactionChip
          key={tally.key}
          message={message}
          tally={tally}
          canReact={canReact}
          tabIndex={index === 0 ? 0 : -1}
        />
      ))}
      {canReact && (
        <ReactionButton message={message} variant="chip" tabIndex={-1}>
          <Plus {...ICON_PROPS_14} />
        </ReactionButton>
      )}
    </Row>
  );
}

interface ReactionChipProps {
  message: ChatMessage;
  tally: ShownTally;
  canReact: boolean;
  tabIndex: number;
}

/** A reaction and how many people have it. A click joins them or takes that back; with Alt, or where nobody can react, it shows who they are. */
function ReactionChip({ message, tally, canReact, tabIndex }: ReactionChipProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const { key, count, isMine, isUnsent } = tally;
  const names = useClientState((state) => reactorNamesIn(state, ui.key, tally, t));
  const showPeople = () => showReactions(message, ui, key);
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (event.altKey || !canReact) return showPeople();
    if (event.detail === 0) keepFocusNear(event.currentTarget);
    toggleReaction(message, key, { client, ui });
  };
  return (
    <button
      type="button"
      className={classNames(styles.chip, isMine && styles.mine, isUnsent && styles.unsent)}
      aria-pressed={canReact ? isMine : undefined}
      aria-label={[reactionName(key, t), count, names].join(t("app.listSeparator"))}
      data-tip={names}
      data-tip-side="top"
      data-tip-soon
      data-reaction={key}
      tabIndex={tabIndex}
      onClick={handleClick}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.altKey) return;
        event.preventDefault();
        showPeople();
      }}
    >
      <ReactionSymbol reaction={key} />
      <span>{count}</span>
    </button>
  );
}

/** A chip that nobody has any more is removed: the focus goes to the one beside it, or to the message. */
function keepFocusNear(chip: HTMLElement): void {
  const neighbour = chip.previousElementSibling ?? chip.nextElementSibling;
  const message = chip.closest<HTMLElement>('[role="article"]');
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const next = neighbour instanceof HTMLButtonElement && neighbour.isConnected ? neighbour : message;
    next?.focus({ preventScroll: true });
  });
}
