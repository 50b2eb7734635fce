import { useEffect } from "react";
import { X } from "lucide-react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { useEscape } from "../../../kit/dialogs/closing.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import composerStyles from "./composer.module.css";
import { currentSelection } from "../message/message-state.ts";
import { useConversationUi, useConversationUiState } from "../message/conversation-ui.ts";
import { MESSAGE_ACTIONS, messageActionIds, useActionConditions } from "../message/message-actions.ts";
import styles from "./selection-bar.module.css";

interface SelectionBarProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
}

/** Replaces the composer while messages are selected: what one can do with all of them. Esc ends the selection. */
export function SelectionBar({ chat, nameOf }: SelectionBarProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const conditions = useActionConditions();
  const selected = useConversationUiState((state) => state.selected);
  useEscape(true, () => ui.set({ selected: null }), document);
  // Drop recalled messages and replace edited ones, so that no action uses an old version.
  useEffect(() => {
    const { selected: latest } = ui.get();
    const updated = latest && currentSelection(latest, chat);
    if (updated !== latest) ui.set({ selected: updated });
  }, [ui, chat]);
  if (selected === null) return null;

  const messages = [...selected.values()].toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0));
  return (
    <div className={composerStyles.blocked}>
      <div className={classNames(composerStyles.box, styles.bar)} role="toolbar" aria-label={t("choose.bar")}>
        <span className={styles.count} role="status">
          {t("choose.count", { count: messages.length })}
        </span>
        {messageActionIds().map((id) => {
          const { text: label, Icon, isDanger = false, selection } = MESSAGE_ACTIONS[id];
          if (selection === undefined) return null;
          const { text, takes, run } = selection;
          const taken = takes === undefined ? messages : messages.filter((one) => takes(one, conditions));
          const props = {
            disabled: taken.length === 0,
            onClick: () => run(taken, { client, ui }, nameOf),
          };
          if (text !== undefined)
            return (
              <Button key={id} variant="ghost" size="small" icon={<Icon {...ICON_PROPS} />} {...props}>
                {t(text)}
              </Button>
            );
          return (
            <IconButton key={id} label={t(label)} size={36} tooltipSide="top" isDanger={isDanger} {...props}>
              <Icon {...ICON_PROPS} />
            </IconButton>
          );
        })}
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
