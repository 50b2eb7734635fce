import { Camera, ChevronDown, Eye, Image, Paperclip, Plus } from "lucide-react";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import { ChatType } from "@parley/protocol/codes";
import { isNotesChat } from "../../../kit/chats/chat-name.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { useUserSetting } from "../../../kit/settings/user-settings.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { Menu, MenuItem, MenuRadioGroup } from "../../../ui/menu.tsx";
import { useHasCoarsePointer } from "../../../ui/use-media.ts";
import { showDialog, useConversationUi } from "../message/conversation-ui.ts";
import { type KindMenuItem, MESSAGE_KINDS } from "../message/kinds/kinds.tsx";
import { pollItem, signUpItem } from "../message/polls/poll-acts.ts";
import { useFilePicker } from "./attachments/pick-files.ts";
import type { PlusToolProps } from "./composer-tools.tsx";

/** A menu to send the kinds other than text; on small screens also to request receipts. */
export function PlusMenu({ chatKey, receipt, onAttach, onSent }: PlusToolProps) {
  const t = useText();
  const picker = useFilePicker(onAttach);
  const isCoarse = useHasCoarsePointer();
  const client = useClient();
  const ui = useConversationUi();
  const isNotes = useClientState((state) => isNotesChat(chatKey, state.me));
  const isForOnePerson = parseChatKey(chatKey)?.type === ChatType.PRIVATE && !isNotes;
  /** The field gets the focus before a dialog opens, which then returns it there, so that Enter sends. */
  const run = (act: () => void) => () => {
    ui.composer.current?.returnFocus();
    act();
  };
  const send = (item: KindMenuItem) => {
    if ("Dialog" in item) showDialog(ui, item.Dialog, {});
    else if (item.send(client, chatKey, t)) onSent();
  };
  return (
    <>
      <input {...picker.inputProps} />
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
        <MenuItem icon={<Image {...ICON_PROPS} />} onSelect={run(() => picker.pick("picture"))}>
          {t("attach.pickPicture")}
        </MenuItem>
        {isCoarse && (
          <MenuItem icon={<Camera {...ICON_PROPS} />} onSelect={run(() => picker.pick("camera"))}>
            {t("attach.pickCamera")}
          </MenuItem>
        )}
        <MenuItem icon={<Paperclip {...ICON_PROPS} />} onSelect={run(() => picker.pick("file"))}>
          {t("attach.pickFile")}
        </MenuItem>
        {[...Object.values(MESSAGE_KINDS), { menuItem: pollItem }, { menuItem: signUpItem }].map(
          ({ menuItem }) =>
            menuItem !== undefined &&
            (isForOnePerson || menuItem.isForOnePerson !== true) && (
              <MenuItem
                key={menuItem.label}
                icon={<menuItem.icon {...ICON_PROPS} />}
                onSelect={run(() => send(menuItem))}
              >
                {t(menuItem.label)}
              </MenuItem>
            ),
        )}
        {receipt !== null && (
          <MenuItem
            icon={<Eye {...ICON_PROPS} />}
            onSelect={run(() => receipt.setRequested(!receipt.isRequested))}
          >
            {t(receipt.isRequested ? "readers.askNot" : "readers.ask")}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}

/** A menu to select which key sends: Enter or Ctrl+Enter. */
export function SendKeyMenu({ className }: { className: string }) {
  const t = useText();
  const [sendKey, setSendKey] = useUserSetting("sendKey");
  const ui = useConversationUi();
  const choose = (key: typeof sendKey) => {
    setSendKey(key);
    ui.composer.current?.returnFocus();
  };
  return (
    <Menu
      side="top"
      align="end"
      offset={12}
      isOpenAtFirst
      trigger={
        <button
          type="button"
          className={className}
          aria-label={t("chat.sendKey")}
          data-tip={t("chat.sendKey")}
          data-tip-side="top"
        >
          <ChevronDown {...ICON_PROPS_14} />
        </button>
      }
    >
      <MenuRadioGroup
        label={t("chat.sendKey")}
        value={sendKey}
        onChange={choose}
        items={[
          { value: "enter", text: t("compose.enterSends") },
          { value: "ctrlEnter", text: t("compose.ctrlEnterSends") },
        ]}
      />
    </Menu>
  );
}
