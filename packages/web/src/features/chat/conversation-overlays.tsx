import { useEffect } from "react";
import { MessageStatus } from "@parley/protocol/codes";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { lazyComponent } from "../../kit/loading/lazy-component.tsx";
import { showMessage } from "../../kit/chats/show-message.ts";
import { isOnOverlayEntry } from "../../kit/dialogs/closing.ts";
import { useConversationUi, useConversationUiState } from "./message/conversation-ui.ts";
import { closeViewer, useOpenViewer } from "./message/media/media-files.ts";
import { useSidePanel } from "./panel/side-panel.tsx";

const MessageMenu = lazyComponent(() =>
  import("./message/message-menu.tsx").then((part) => part.MessageMenu),
);
const ReactionPicker = lazyComponent(() =>
  import("./message/reactions/reaction-picker.tsx").then((part) => part.ReactionPicker),
);
const PersonMenu = lazyComponent(() => import("./message/person-menu.tsx").then((part) => part.PersonMenu));
const ChatViewer = lazyComponent(() => import("./viewer/viewer-chunk.ts").then((part) => part.ChatViewer));

interface ConversationOverlaysProps {
  chat: Chat;
  /** The name of a sender in this chat. */
  nameOf: (message: ChatMessage) => string;
}

/** What opens over a conversation: context menus, dialogs, and the viewer of pictures. */
export function ConversationOverlays({ chat, nameOf }: ConversationOverlaysProps) {
  const ui = useConversationUi();
  const menu = useConversationUiState((state) => state.messageMenu);
  const picker = useConversationUiState((state) => state.reactionPicker);
  const personMenu = useConversationUiState((state) => state.personMenu);
  const dialog = useConversationUiState((state) => state.dialog);
  const viewer = useOpenViewer(chat.key);
  const panel = useSidePanel();
  // A recalled message is a tip and has no menu.
  const messageOf = (opened: { readonly key: string } | null) =>
    chat.window.messages.find(({ key, status }) => key === opened?.key && status !== MessageStatus.RECALL);
  const message = messageOf(menu);
  const pickerMessage = messageOf(picker);
  const closeMenu = () => ui.set({ messageMenu: null });
  const closePicker = () => ui.set({ reactionPicker: null });
  const closePersonMenu = () => ui.set({ personMenu: null });
  const closeDialog = () => ui.set({ dialog: null });
  useEffect(() => closeViewer, []);
  const jump = (id: number) => {
    const isBehindPanel = panel.isOpen && !panel.isDocked;
    if (isBehindPanel) panel.close();
    // Where the browser goes back, that closes the viewer too.
    if (!isBehindPanel || !isOnOverlayEntry()) closeViewer();
    showMessage(chat.key, id);
  };
  return (
    <>
      {menu !== null && message !== undefined && (
        <MessageMenu
          key={`${menu.key} ${menu.x} ${menu.y}`}
          message={message}
          x={menu.x}
          y={menu.y}
          onClose={closeMenu}
          onMissing={closeMenu}
        />
      )}
      {picker !== null && pickerMessage !== undefined && (
        <ReactionPicker
          key={picker.key}
          message={pickerMessage}
          x={picker.x}
          y={picker.y}
          onClose={closePicker}
          onMissing={closePicker}
        />
      )}
      {personMenu !== null && (
        <PersonMenu
          key={`${personMenu.userId} ${personMenu.x} ${personMenu.y}`}
          {...personMenu}
          onClose={closePersonMenu}
          onMissing={closePersonMenu}
        />
      )}
      {dialog?.(closeDialog)}
      {viewer !== null && (
        <ChatViewer
          key={viewer.messageKey}
          viewer={viewer}
          nameOf={nameOf}
          onJump={jump}
          onClose={closeViewer}
          onMissing={closeViewer}
        />
      )}
    </>
  );
}
