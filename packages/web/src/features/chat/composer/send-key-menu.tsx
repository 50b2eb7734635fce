import { ChevronDown } from "lucide-react";
import { useUserSetting } from "../../../kit/user-settings.ts";
import { useText } from "../../../kit/i18n.ts";
import { ICON_PROPS_14 } from "../../../ui/icon-props.ts";
import { Menu, MenuRadioGroup } from "../../../ui/menu.tsx";
import { useConversationUi } from "../message/conversation-ui.ts";

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
