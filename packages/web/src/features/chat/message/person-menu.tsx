import { useState } from "react";
import { Flag, IdCard } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { myIdOf } from "../../../kit/people/person.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { MenuAt, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { useConversationUi } from "./conversation-ui.ts";
import { MEMBER_ACTIONS, groupPermissions, type MemberAction } from "./member-actions.ts";

interface PersonMenuProps {
  userId: number;
  name: string;
  x: number;
  y: number;
  onClose: () => void;
}

/** The context menu of a group member, opened at the avatar beside a message. */
export function PersonMenu({ userId, name, x, y, onClose }: PersonMenuProps) {
  const t = useText();
  const ui = useConversationUi();
  const client = useClient();
  const [opener] = useState(() => document.activeElement);
  const groups = useClientState((state) => state.groups);
  const session = useClientState((state) => state.session);
  const actions = groupPermissions({ groups, session }, ui.key)?.memberActions(userId) ?? [];
  const firstDangerous = actions.find((action) => MEMBER_ACTIONS[action].isDanger);
  const itemOf = (action: MemberAction) => {
    const { text, Icon, isDanger = false, run } = MEMBER_ACTIONS[action];
    return [
      action === firstDangerous && <MenuSeparator key="line" />,
      <MenuItem
        key={action}
        icon={<Icon {...ICON_PROPS} />}
        isDanger={isDanger}
        onSelect={() => {
          onClose();
          run({ client, ui }, { userId, name });
        }}
      >
        {t(text, { name })}
      </MenuItem>,
    ];
  };
  return (
    <MenuAt x={x} y={y} label={name} onClose={onClose} opener={opener instanceof HTMLElement ? opener : null}>
      {actions.filter((action) => MEMBER_ACTIONS[action].isModeration !== true).map(itemOf)}
      <MenuItem
        icon={<IdCard {...ICON_PROPS} />}
        onSelect={() => openDialog({ kind: "userCard", userId, x, y, source: RequestSource.GROUP })}
      >
        {t("moderate.card")}
      </MenuItem>
      {userId !== myIdOf({ session }) && (
        <MenuItem
          icon={<Flag {...ICON_PROPS} />}
          onSelect={() => openDialog({ kind: "report", thing: { userId }, name })}
        >
          {t("report.action")}
        </MenuItem>
      )}
      {actions.filter((action) => MEMBER_ACTIONS[action].isModeration).map(itemOf)}
    </MenuAt>
  );
}
