import { useRef, useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { shortcutHint } from "../../../kit/settings/shortcut-table.ts";
import type { ChatCommandShortcut } from "../../../kit/settings/shortcuts.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { MenuAt, MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../../../ui/menu.tsx";
import type { Point } from "../../../ui/use-menu-point.ts";
import { CHAT_COMMANDS, type ChatCommand, useChatCommands } from "./chat-commands.tsx";

interface ChatMenuProps {
  chatKey: ChatKey;
  /** Where the menu opens, or the shortcut of the command of which only the dialog is shown. */
  request: Point | ChatCommandShortcut;
  /** The element that gets the focus back. */
  opener: HTMLElement | null;
  onClose: () => void;
  onRemoved: () => void;
}

type DialogCommand = Extract<ChatCommand, { readonly Dialog: unknown }>;

/** The context menu of a chat in the list, and the dialogs of its commands. */
export function ChatMenu({ chatKey, request, opener, onClose, onRemoved }: ChatMenuProps) {
  const t = useText();
  const { chats } = useClient();
  const offered = useChatCommands(chatKey);
  const [asking, setAsking] = useState(() => (typeof request === "string" ? commandOf(request) : undefined));
  const chosen = useRef<DialogCommand>(undefined);
  if (offered === null) return null;
  const { chat, commands } = offered;
  if (asking !== undefined)
    return <asking.Dialog chat={chat} opener={opener} onClose={onClose} onRemoved={onRemoved} />;
  if (typeof request === "string") return null;
  const firstDangerous = commands.find(({ isDanger }) => isDanger);
  const itemOf = (command: ChatCommand) => {
    const Icon = command.Icon(chat);
    const icon = <Icon {...ICON_PROPS} />;
    const label = t(command.text(chat));
    if ("choices" in command) {
      const { items, current, choose } = command.choices;
      return (
        <SubMenu key={command.id} icon={icon} label={label} width={208}>
          {current === undefined ? (
            items.map(({ value, text }) => (
              <MenuItem key={value} onSelect={() => choose(chats, chat, value)}>
                {t(text)}
              </MenuItem>
            ))
          ) : (
            <MenuRadioGroup
              label={label}
              value={current(chat)}
              items={items.map(({ value, text }) => ({ value, text: t(text) }))}
              onChange={(value) => choose(chats, chat, value)}
            />
          )}
        </SubMenu>
      );
    }
    const shortcut = "Dialog" in command ? command.shortcut : undefined;
    return (
      <MenuItem
        key={command.id}
        icon={icon}
        isDanger={command.isDanger === true}
        {...(shortcut !== undefined && { keys: shortcutHint(shortcut) })}
        onSelect={() => {
          if ("Dialog" in command) chosen.current = command;
          else command.run(chats, chat);
        }}
      >
        {label}
      </MenuItem>
    );
  };
  return (
    <MenuAt
      x={request.x}
      y={request.y}
      label={t("chatMenu.label")}
      opener={opener}
      // The dialog opens after the menu has closed.
      onClose={() => (chosen.current === undefined ? onClose() : setAsking(chosen.current))}
    >
      {commands.map((command) => [
        command === firstDangerous && <MenuSeparator key="line" />,
        itemOf(command),
      ])}
    </MenuAt>
  );
}

function commandOf(shortcut: ChatCommandShortcut): DialogCommand | undefined {
  return CHAT_COMMANDS.find(
    (command): command is DialogCommand => "Dialog" in command && command.shortcut === shortcut,
  );
}
