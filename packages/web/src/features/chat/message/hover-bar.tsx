import { Ellipsis, Smile } from "lucide-react";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../ui/icon-props.ts";
import { allowedActions, canReact, useActionConditions, useMessageActions } from "./message-actions.ts";
import { ReactionButton } from "./reactions/reaction-button.tsx";
import styles from "./hover-bar.module.css";

interface HoverBarProps {
  message: ChatMessage;
  onMenu: (x: number, y: number) => void;
}

/** Frequent actions beside the bubble of the message that is hovered or focused. */
export function HoverBar({ message, onMenu }: HoverBarProps) {
  const t = useText();
  const runAction = useMessageActions();
  const conditions = useActionConditions();
  return (
    <div className={styles.bar} data-hover-bar>
      {canReact(message, conditions) && (
        <ReactionButton message={message} variant="bar">
          <Smile {...ICON_PROPS_16} />
        </ReactionButton>
      )}
      {allowedActions(message, conditions).map(
        ({ id, text, Icon, buttons }) =>
          buttons?.includes("hoverBar") && (
            <IconButton
              key={id}
              label={t(text)}
              size={28}
              tooltipSide="top"
              onClick={() => runAction(id, message)}
            >
              <Icon {...ICON_PROPS_16} />
            </IconButton>
          ),
      )}
      <IconButton
        label={t("act.more")}
        size={28}
        tooltipSide="top"
        aria-haspopup="menu"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onMenu(box.left, box.bottom + 4);
        }}
      >
        <Ellipsis {...ICON_PROPS_16} />
      </IconButton>
    </div>
  );
}
