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
  const personMenu = useConversationUiState((state) => state.personMenu);
  const dialog = useConversationUiState((state) => state.dialog);
  const viewer = useOpenViewer(chat.key);
  const panel = useSidePanel();
  const found = menu === null ? undefined : chat.window.messages.find(({ key }) => key === menu.key);
  // A recalled message is a tip and has no menu.
  const message = found?.status === MessageStatus.RECALL ? undefined : found;
  const closeMenu = () => ui.set({ messageMenu: null });
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
