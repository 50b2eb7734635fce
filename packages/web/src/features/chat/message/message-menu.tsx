import {
  AtSign,
  Copy,
  Download,
  Eye,
  Flag,
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
import { ChatType } from "@parley/protocol/codes";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { openDialog } from "../../../kit/open-dialog.ts";
import { useText } from "../../../kit/i18n.ts";
import type { TextId } from "../../../kit/i18n.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { MenuAt, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { runMemberAction, isMemberAction } from "./run-member-action.ts";
import { useConversationUi } from "./conversation-ui.ts";
import { groupPermissions } from "./member-actions.ts";
import { actionLimits, allowedActions } from "./message-actions.ts";
import type { MessageAction } from "./message-actions.ts";
import { useMessageActions } from "./use-message-actions.ts";

/** A menu item for an action. */
interface ActionItem {
  readonly text: TextId;
  readonly Icon: typeof Copy;
  readonly keys?: string;
  readonly isDanger?: boolean;
}

/** The menu items of all actions. */
export const ACTION_ITEMS: Readonly<Record<MessageAction, ActionItem>> = {
  resend: { text: "chat.resend", Icon: Send },
  quote: { text: "act.quote", Icon: Reply, keys: "R" },
  forward: { text: "act.forward", Icon: Forward },
  copy: { text: "act.copy", Icon: Copy, keys: "C" },
  copyPicture: { text: "media.copyPicture", Icon: Copy, keys: "C" },
  save: { text: "media.save", Icon: Download },
  edit: { text: "act.edit", Icon: Pencil, keys: "E" },
  choose: { text: "act.choose", Icon: ListChecks, keys: "Space" },
  readers: { text: "readers.title", Icon: Eye },
  mention: { text: "moderate.mention", Icon: AtSign },
  report: { text: "report.action", Icon: Flag },
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

/** The context menu of a message. */
export function MessageMenu({ message, x, y, canWrite, onClose }: MessageMenuProps) {
  const t = useText();
  const ui = useConversationUi();
  const runAction = useMessageActions();
  const client = useClient();
  const groups = useClientState((state) => state.groups);
  const session = useClientState((state) => state.session);
  const group = groupPermissions({ groups, session }, ui.key);
  const limits = actionLimits(client.getState(), Date.now(), canWrite, group);
  const actions = allowedActions(message, limits);
  // Del runs the first dangerous action, such as recall while that is allowed.
  const [firstDangerous] = actions.filter((action) => ACTION_ITEMS[action].isDanger);
  // Actions that concern the sender and not the message are separated by a line.
  const firstMemberAction = actions.find((action) => isMemberAction(action) && action !== "mention");
  const name = useClientState((state) => {
    const groupId = parseChatKey(ui.key)?.targetId ?? 0;
    return state.groups.members[groupId]?.byId[message.sendId]?.showNickName || message.sendNickName;
  });
  const row = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(message.key)}"]`);
  return (
    <MenuAt x={x} y={y} label={t("act.menu")} onClose={onClose} opener={row}>
      {actions.map((action) => {
        const { text, Icon, keys, isDanger = false } = ACTION_ITEMS[action];
        const hint = action === firstDangerous ? "Del" : keys;
        return [
          (action === firstDangerous || action === firstMemberAction) && actions.length > 1 && (
            <MenuSeparator key="line" />
          ),
          <MenuItem
            key={action}
            icon={<Icon {...ICON_PROPS} />}
            isDanger={isDanger}
            {...(hint !== undefined && { keys: hint })}
            onSelect={() => {
              ui.set({ messageMenu: null });
              if (isMemberAction(action)) {
                const { sendId: userId, sendNickName: name } = message;
                runMemberAction(client, ui, action, { userId, name });
              } else if (action === "report") reportMessage(ui.key, message);
              else runAction(action, message);
            }}
          >
            {t(text, { name })}
          </MenuItem>,
        ];
      })}
    </MenuAt>
  );
}

/** Opens the dialog that reports a message. It is not in `useMessageActions`, which the first chat loads. */
function reportMessage(key: ChatKey, { id, sendNickName: name }: ChatMessage): void {
  if (id === null) return;
  const thing = key.startsWith(ChatType.GROUP) ? { groupMessageId: id } : { privateMessageId: id };
  openDialog({ kind: "report", thing, name });
}
