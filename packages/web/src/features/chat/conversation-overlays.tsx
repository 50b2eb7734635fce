import { MessageStatus } from "@parley/protocol/codes";
import type { Chat } from "@parley/core/model/state";
import { lazyComponent } from "../../kit/lazy-component.tsx";
import { useConversationUi, useConversationUiState } from "./message/conversation-ui.ts";
import { useCanWrite } from "./message/use-can-write.ts";

const MessageMenu = lazyComponent(() =>
  import("./message/message-menu.tsx").then((part) => part.MessageMenu),
);
const PersonMenu = lazyComponent(() => import("./message/person-menu.tsx").then((part) => part.PersonMenu));
const ConversationDialogs = lazyComponent(() =>
  import("./conversation-dialogs.tsx").then((part) => part.ConversationDialogs),
);

/** What opens over a conversation: context menus and dialogs. */
export function ConversationOverlays({ chat }: { chat: Chat }) {
  const ui = useConversationUi();
  const menu = useConversationUiState((state) => state.messageMenu);
  const personMenu = useConversationUiState((state) => state.personMenu);
  const dialog = useConversationUiState((state) => state.dialog);
  const canWrite = useCanWrite();
  const found = menu === null ? undefined : chat.window.messages.find(({ key }) => key === menu.key);
  // A recalled message is a tip and has no menu.
  const message = found?.status === MessageStatus.RECALL ? undefined : found;
  const closeMenu = () => ui.set({ messageMenu: null });
  const closePersonMenu = () => ui.set({ personMenu: null });
  const closeDialog = () => ui.set({ dialog: null });
  return (
    <>
      {menu !== null && message !== undefined && (
        <MessageMenu
          key={`${menu.key} ${menu.x} ${menu.y}`}
          message={message}
          x={menu.x}
          y={menu.y}
          canWrite={canWrite}
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
      {dialog !== null && (
        <ConversationDialogs dialog={dialog} onClose={closeDialog} onMissing={closeDialog} />
      )}
    </>
  );
}
