import type { ChatMessage } from "@parley/core/model/state";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { useText } from "../../../kit/i18n/i18n.ts";
import { shortcutHint } from "../../../kit/settings/shortcut-table.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { MenuAt, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { allowedActions, canReact, useActionConditions, useMessageActions } from "./message-actions.ts";
import { ReactionItems } from "./reactions/reaction-items.tsx";

interface MessageMenuProps {
  message: ChatMessage;
  x: number;
  y: number;
  onClose: () => void;
}

/** The context menu of a message. */
export function MessageMenu({ message, x, y, onClose }: MessageMenuProps) {
  const t = useText();
  const ui = useConversationUi();
  const runAction = useMessageActions();
  const conditions = useActionConditions();
  const actions = allowedActions(message, conditions).filter(({ isKeyOnly }) => !isKeyOnly);
  const firstDangerous = actions.find(({ isDanger }) => isDanger);
  const firstModeration = actions.find(({ isModeration }) => isModeration);
  const name = useClientState((state) => {
    const groupId = parseChatKey(ui.key)?.targetId ?? 0;
    return state.groups.members[groupId]?.byId[message.sendId]?.showNickName || message.sendNickName;
  });
  const row = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(message.key)}"]`);
  return (
    <MenuAt x={x} y={y} label={t("act.menu")} onClose={onClose} opener={row}>
      {canReact(message, conditions) && (
        <ReactionItems message={message} x={x} y={y} hasLine={actions.length > 0} />
      )}
      {actions.map((action) => {
        const { id, text, Icon, shortcut, isDanger = false } = action;
        // A shortcut runs the first action that has it, such as recall while that is allowed.
        const hasKeys = action === actions.find((one) => one.shortcut === shortcut);
        return [
          (action === firstDangerous || action === firstModeration) && actions.length > 1 && (
            <MenuSeparator key="line" />
          ),
          <MenuItem
            key={id}
            icon={<Icon {...ICON_PROPS} />}
            isDanger={isDanger}
            {...(shortcut !== undefined && hasKeys && { keys: shortcutHint(shortcut) })}
            onSelect={() => {
              ui.set({ messageMenu: null });
              runAction(id, message);
            }}
          >
            {t(text, { name })}
          </MenuItem>,
        ];
      })}
    </MenuAt>
  );
}
