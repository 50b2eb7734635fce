import { ListPlus, Pencil } from "lucide-react";
import { unsentActsOf } from "@parley/core/model/chats/extras";
import { type ShownSignUp, shownSignUp } from "@parley/core/model/chats/polls";
import type { SignUpLine } from "@parley/protocol/poll";
import { useMember } from "../../../../kit/chats/group.ts";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { useClientState } from "../../../../kit/loading/use-client.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Stack, Text } from "../../../../ui/layout.tsx";
import { BubbleFrame, type BubbleProps } from "../bubbles/bubble-frame.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { useCanVote, useMessageActions } from "../message-actions.ts";
import { groupIdOf } from "../reactions/reaction-acts.ts";
import { endText } from "./poll-acts.ts";
import styles from "./polls.module.css";

/** A sign-up list: its lines with who wrote them, and a button for one's own while it goes on. */
export function SignUpBubble(props: BubbleProps) {
  const { message } = props;
  const t = useText();
  const locale = useLocale();
  const me = useClientState(myIdOf);
  const unsent = useClientState((state) => unsentActsOf(message, state));
  const clockAheadMs = useClientState((state) => state.clockAheadMs);
  const canSignUp = useCanVote(message);
  const runAction = useMessageActions();
  const shown = shownSignUp(message, me, Date.now() - clockAheadMs, unsent);
  if (shown === null) return null;
  const { poll, lines, myLine, isClosed } = shown;
  const rules = [
    lines.length === 0 ? t("signUp.none") : t("signUp.count", { count: lines.length }),
    endText(poll, isClosed, locale, t),
  ];
  return (
    <BubbleFrame {...props} variant="card">
      <Stack gap={8} className={styles.poll} data-sign-up>
        <Text weight="name" line={20} dir="auto">
          {poll.question}
        </Text>
        <Text size={12} line={16} className={styles.note}>
          {rules.filter(Boolean).join(" · ")}
        </Text>
        {lines.length > 0 && <Lines shown={shown} />}
        {canSignUp && (
          <button
            type="button"
            className={classNames(styles.option, styles.add)}
            onClick={() => runAction("signUp", message)}
          >
            <span className={styles.mark}>
              {myLine === "" ? <ListPlus {...ICON_PROPS} /> : <Pencil {...ICON_PROPS} />}
            </span>
            {myLine === "" ? t("signUp.join") : t("signUp.change")}
          </button>
        )}
      </Stack>
    </BubbleFrame>
  );
}

/** The lines with their numbers. A long list scrolls, also by keys. */
function Lines({ shown: { poll, lines, isUnsent } }: { shown: ShownSignUp }) {
  const me = useClientState(myIdOf);
  return (
    <div className={styles.lines} role="group" aria-label={poll.question} tabIndex={0}>
      <ol>
        {lines.map((line) => (
          <Line key={line.by} line={line} isUnsent={isUnsent && line.by === me} />
        ))}
      </ol>
    </div>
  );
}

function Line({ line: { by, text }, isUnsent }: { line: SignUpLine; isUnsent: boolean }) {
  const t = useText();
  const { key } = useConversationUi();
  const { name } = useMember(groupIdOf(key), by, null);
  return (
    <li dir="auto" className={classNames(isUnsent && styles.unsent)}>
      {t("signUp.line", { name, text })}
    </li>
  );
}
