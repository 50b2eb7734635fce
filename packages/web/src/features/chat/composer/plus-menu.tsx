import { ContactRound, Eye, MapPin, Plus, Vibrate } from "lucide-react";
import { ChatType, MessageType } from "@parley/protocol/codes";
import { SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { isNotesChat } from "../../../kit/chat-name.ts";
import { useText } from "../../../kit/i18n.ts";
import { toasts } from "../../../kit/toasts.ts";
import { useClient, useClientState } from "../../../kit/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { useConversationUi } from "../message/conversation-ui.ts";
import type { PlusToolProps } from "./plus-tool.tsx";

/** A menu to send a nudge, a contact card or a location; on small screens also to request receipts. */
export function PlusMenu({ chatKey, receipt, onSent }: PlusToolProps) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const isNotes = useClientState((state) => isNotesChat(chatKey, state.me));
  const nudge = () => {
    const messages = client.getState().chats.byKey[chatKey]?.window.messages ?? [];
    const last = messages.findLast((one) => one.selfSend && one.type === MessageType.SHAKE);
    // The server enforces the same limit; checking here avoids a failed message in the chat.
    if (last !== undefined && Date.now() - last.sendTime < SHAKE_INTERVAL_MS) {
      toasts.error(t("error.message.shakeTooOften", { seconds: SHAKE_INTERVAL_MS / 1_000 }));
      return;
    }
    client.chats.sendContent(chatKey, MessageType.SHAKE, "");
    onSent();
  };
  return (
    <Menu
      side="top"
      align="start"
      offset={8}
      isOpenAtFirst
      trigger={
        <IconButton label={t("chat.more")} tooltipSide="top">
          <Plus {...ICON_PROPS} />
        </IconButton>
      }
    >
      {parseChatKey(chatKey)?.type === ChatType.PRIVATE && !isNotes && (
        <MenuItem icon={<Vibrate {...ICON_PROPS} />} onSelect={nudge}>
          {t("compose.shake")}
        </MenuItem>
      )}
      <MenuItem
        icon={<ContactRound {...ICON_PROPS} />}
        onSelect={() => ui.set({ dialog: { kind: "sendCard" } })}
      >
        {t("compose.card")}
      </MenuItem>
      <MenuItem
        icon={<MapPin {...ICON_PROPS} />}
        onSelect={() => ui.set({ dialog: { kind: "sendLocation" } })}
      >
        {t("compose.place")}
      </MenuItem>
      {receipt !== null && (
        <MenuItem icon={<Eye {...ICON_PROPS} />} onSelect={() => receipt.setRequested(!receipt.isRequested)}>
          {t(receipt.isRequested ? "readers.askNot" : "readers.ask")}
        </MenuItem>
      )}
    </Menu>
  );
}
