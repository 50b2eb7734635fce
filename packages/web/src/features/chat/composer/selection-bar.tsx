import { useEffect } from "react";
import { Copy, Forward, Trash2, X } from "lucide-react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { copyText } from "../../../kit/copy-text.ts";
import { currentLocale, useText } from "../../../kit/i18n.ts";
import { clockTime } from "../../../kit/time-text.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useEscape } from "../../../kit/use-escape.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import composerStyles from "./composer.module.css";
import { currentSelection } from "../message/current-message.ts";
import { useConversationUi, useConversationUiState } from "../message/conversation-ui.ts";
import { canForward } from "../message/message-actions.ts";
import { messageSummary } from "../message/message-summary.ts";
import styles from "./selection-bar.module.css";

interface SelectionBarProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
}

/** Replaces the composer while messages are selected: forward, copy or delete all of them. Esc ends the selection. */
export function SelectionBar({ chat, nameOf }: SelectionBarProps) {
  const t = useText();
  const ui = useConversationUi();
  const selected = useConversationUiState((state) => state.selected);
  useEscape(true, () => ui.set({ selected: null }), document);
  // Drop recalled messages and replace edited ones, so that no action uses an old version.
  useEffect(() => {
    const updated = selected && currentSelection(selected, chat);
    if (updated !== selected) ui.set({ selected: updated });
  }, [ui, selected, chat]);
  if (selected === null) return null;

  const messages = [...selected.values()].toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0));
  const idsOf = (list: readonly ChatMessage[]) => list.flatMap(({ id }) => (id === null ? [] : [id]));
  const forwardable = messages.filter(canForward);
  const copyAll = async () => {
    const lines = messages.map(
      (one) => `${nameOf(one)} ${clockTime(one.sendTime, currentLocale())}\n${messageSummary(one, t)}`,
    );
    if (!(await copyText(lines.join("\n")))) return toasts.error(t("chat.copyRefused"));
    toasts.success(t("chat.copied"));
    ui.set({ selected: null });
  };
  return (
    <div className={composerStyles.blocked}>
      <div className={classNames(composerStyles.box, styles.bar)} role="toolbar" aria-label={t("choose.bar")}>
        <span className={styles.count} role="status">
          {t("choose.count", { count: messages.length })}
        </span>
        <Button
          variant="ghost"
          size="small"
          icon={<Forward {...ICON_PROPS} />}
          disabled={forwardable.length === 0}
          onClick={() => ui.set({ dialog: { kind: "forward", ids: idsOf(forwardable) } })}
        >
          {t("choose.forward")}
        </Button>
        <IconButton
          label={t("act.copy")}
          size={36}
          tooltipSide="top"
          disabled={messages.length === 0}
          onClick={() => void copyAll()}
        >
          <Copy {...ICON_PROPS} />
        </IconButton>
        <IconButton
          label={t("act.delete")}
          size={36}
          tooltipSide="top"
          isDanger
          disabled={messages.length === 0}
          onClick={() => ui.set({ dialog: { kind: "delete", ids: idsOf(messages) } })}
        >
          <Trash2 {...ICON_PROPS} />
        </IconButton>
        <IconButton
          label={t("choose.end")}
          size={36}
          tooltipSide="top"
          onClick={() => ui.set({ selected: null })}
        >
          <X {...ICON_PROPS} />
        </IconButton>
      </div>
    </div>
  );
}
