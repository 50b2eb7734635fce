import { useState } from "react";
import { IdCard } from "lucide-react";
import { RequestSource } from "@parley/protocol/codes";
import { openDialog } from "../../../kit/dialogs.ts";
import { useText } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON } from "../../../ui/icon.ts";
import { MenuAt, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { actOnMember } from "./act-on-member.ts";
import { useDesk } from "./desk.ts";
import { groupLimits } from "./member-acts.ts";
import type { MemberAct } from "./member-acts.ts";
import { FACES } from "./message-menu.tsx";

interface PersonMenuProps {
  userId: number;
  name: string;
  x: number;
  y: number;
  onClose: () => void;
}

/** What can be done with somebody who has written in a group; opened at the picture. */
export function PersonMenu({ userId, name, x, y, onClose }: PersonMenuProps) {
  const t = useText();
  const desk = useDesk();
  const client = useClient();
  const act = (one: MemberAct) => actOnMember(client, desk, one, { userId, name });
  const [opener] = useState(() => document.activeElement);
  const groups = useClientState((state) => state.groups);
  const session = useClientState((state) => state.session);
  const acts = groupLimits({ groups, session }, desk.key)?.memberActs(userId) ?? [];
  const [dangerous] = acts.filter((one) => FACES[one].isDanger);
  return (
    <MenuAt x={x} y={y} label={name} onClose={onClose} opener={opener instanceof HTMLElement ? opener : null}>
      {acts.includes("mention") && (
        <MenuItem icon={<FACES.mention.Icon {...ICON} />} onSelect={() => act("mention")}>
          {t(FACES.mention.text, { name })}
        </MenuItem>
      )}
      <MenuItem
        icon={<IdCard {...ICON} />}
        onSelect={() => openDialog({ kind: "userCard", userId, x, y, source: RequestSource.GROUP })}
      >
        {t("moderate.card")}
      </MenuItem>
      {acts
        .filter((one) => one !== "mention")
        .map((one) => {
          const { text, Icon, isDanger = false } = FACES[one];
          return [
            one === dangerous && <MenuSeparator key="line" />,
            <MenuItem
              key={one}
              icon={<Icon {...ICON} />}
              isDanger={isDanger}
              onSelect={() => {
                onClose();
                act(one);
              }}
            >
              {t(text)}
            </MenuItem>,
          ];
        })}
    </MenuAt>
  );
}
