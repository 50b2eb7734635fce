import { MessageStatus } from "@parley/protocol/codes";
import type { Chat } from "@parley/core/model/state";
import { lazyPart } from "../../../kit/lazy-part.tsx";
import { useDesk, useDeskState } from "./desk.ts";
import { useCanWrite } from "./use-can-write.ts";

const MessageMenu = lazyPart(() => import("./menus.ts").then((part) => part.MessageMenu));
const PersonMenu = lazyPart(() => import("./menus.ts").then((part) => part.PersonMenu));
const ChatDialogs = lazyPart(() => import("../dialogs/chat-dialogs.tsx").then((part) => part.ChatDialogs));

/** What opens over a conversation: the menu of a message, questions and choices. */
export function ChatLayers({ chat }: { chat: Chat }) {
  const desk = useDesk();
  const menu = useDeskState((state) => state.menu);
  const personMenu = useDeskState((state) => state.personMenu);
  const dialog = useDeskState((state) => state.dialog);
  const canWrite = useCanWrite();
  const found = menu === null ? undefined : chat.window.messages.find(({ key }) => key === menu.key);
  // What was recalled meanwhile is a line that nothing can be done with.
  const message = found?.status === MessageStatus.RECALL ? undefined : found;
  const closeMenu = () => desk.set({ menu: null });
  const closePerson = () => desk.set({ personMenu: null });
  const closeDialog = () => desk.set({ dialog: null });
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
          onClose={closePerson}
          onMissing={closePerson}
        />
      )}
      {dialog !== null && <ChatDialogs dialog={dialog} onClose={closeDialog} onMissing={closeDialog} />}
    </>
  );
}
