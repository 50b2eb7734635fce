import {
  AtSign,
  Copy,
  Eye,
  Forward,
  ListChecks,
  Mic,
  MicOff,
  Pencil,
  Reply,
  RotateCcw,
  Send,
  Trash2,
  Undo2,
  UserRoundMinus,
} from "lucide-react";
import type { ChatMessage } from "@parley/core/model/state";
import { parseChatKey } from "@parley/core/model/rows";
import { useText } from "../../../kit/i18n.ts";
import type { TextId } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON } from "../../../ui/icon.ts";
import { MenuAt, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { actOnMember, isMemberAct } from "./act-on-member.ts";
import { useDesk } from "./desk.ts";
import { groupLimits } from "./member-acts.ts";
import { actLimits, actsOf } from "./message-acts.ts";
import type { MessageAct } from "./message-acts.ts";
import { useMessageActs } from "./use-message-acts.ts";

interface ActFace {
  readonly text: TextId;
  readonly Icon: typeof Copy;
  readonly keys?: string;
  readonly isDanger?: boolean;
}

export const FACES: Readonly<Record<MessageAct, ActFace>> = {
  resend: { text: "chat.resend", Icon: Send },
  quote: { text: "act.quote", Icon: Reply, keys: "R" },
  forward: { text: "act.forward", Icon: Forward },
  copy: { text: "act.copy", Icon: Copy, keys: "C" },
  edit: { text: "act.edit", Icon: Pencil, keys: "E" },
  choose: { text: "act.choose", Icon: ListChecks, keys: "Space" },
  readers: { text: "readers.title", Icon: Eye },
  mention: { text: "moderate.mention", Icon: AtSign },
  recall: { text: "act.recall", Icon: RotateCcw, isDanger: true },
  delete: { text: "act.delete", Icon: Trash2, isDanger: true },
  mute: { text: "groups.mute", Icon: MicOff, isDanger: true },
  unmute: { text: "groups.unmute", Icon: Mic },
  remove: { text: "groups.removeOne", Icon: UserRoundMinus, isDanger: true },
  discard: { text: "chat.discard", Icon: Undo2, keys: "Del", isDanger: true },
};

interface MessageMenuProps {
  message: ChatMessage;
  x: number;
  y: number;
  canWrite: boolean;
  onClose: () => void;
}

/** Everything that can be done with one message. */
export function MessageMenu({ message, x, y, canWrite, onClose }: MessageMenuProps) {
  const t = useText();
  const desk = useDesk();
  const act = useMessageActs();
  const client = useClient();
  const config = useClientState((state) => state.config);
  const groups = useClientState((state) => state.groups);
  const session = useClientState((state) => state.session);
  const limits = actLimits(config, Date.now(), canWrite, groupLimits({ groups, session }, desk.key));
  const acts = actsOf(message, limits);
  // Del takes the message back while that is possible.
  const [dangerous] = acts.filter((one) => FACES[one].isDanger);
  // What is done with the person, and not with the message.
  const firstOfMember = acts.find((one) => isMemberAct(one) && one !== "mention");
  const name = useClientState((state) => {
    const groupId = parseChatKey(desk.key)?.targetId ?? 0;
    return state.groups.members[groupId]?.byId[message.sendId]?.showNickName || message.sendNickName;
  });
  const row = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(message.key)}"]`);
  return (
    <MenuAt x={x} y={y} label={t("act.menu")} onClose={onClose} opener={row}>
      {acts.map((one) => {
        const { text, Icon, keys, isDanger = false } = FACES[one];
        const hint = one === dangerous ? "Del" : keys;
        return [
          (one === dangerous || one === firstOfMember) && acts.length > 1 && <MenuSeparator key="line" />,
          <MenuItem
            key={one}
            icon={<Icon {...ICON} />}
            isDanger={isDanger}
            {...(hint !== undefined && { keys: hint })}
            onSelect={() => {
              desk.set({ menu: null });
              if (isMemberAct(one)) {
                const { sendId: userId, sendNickName: name } = message;
                actOnMember(client, desk, one, { userId, name });
              } else act(one, message);
            }}
          >
            {t(text, { name })}
          </MenuItem>,
        ];
      })}
    </MenuAt>
  );
}
