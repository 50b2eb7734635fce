import { SlidersHorizontal } from "lucide-react";
import { DEFAULT_DEVICE, deviceItems, useCallDevices } from "../../kit/call-devices.ts";
import { useText } from "../../kit/i18n.ts";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Menu, MenuRadioGroup, MenuSeparator, SubMenu } from "../../ui/menu.tsx";
import { MenuSwitch } from "../../ui/menu-switch.tsx";
import { RoundButton } from "./round-button.tsx";

/** A menu in which the person chooses devices, and how sound is processed. */
export function DeviceMenu({ isLabelled = false }: { readonly isLabelled?: boolean }) {
  const t = useText();
  return (
    <Menu
      trigger={
        <RoundButton label={t("call.devices")} isLabelled={isLabelled}>
          <SlidersHorizontal {...ICON_PROPS_24} />
        </RoundButton>
      }
      side="top"
      align="center"
      offset={8}
      width={240}
    >
      <DeviceItems />
    </Menu>
  );
}

/** Mounted while the menu is open. */
function DeviceItems() {
  const t = useText();
  const known = useCallDevices();
  if (known === null) return null;
  const { kinds, devices, chosen, processing, choose, process } = known;
  return (
    <>
      {kinds.map((kind) => (
        <SubMenu key={kind} label={t(`call.${kind}`)} width={280}>
          <MenuRadioGroup
            label={t(`call.${kind}`)}
            value={chosen[kind] ?? DEFAULT_DEVICE}
            items={deviceItems(kind, devices, t)}
            onChange={(value) => choose(kind, value)}
          />
        </SubMenu>
      ))}
      <MenuSeparator />
      <MenuSwitch
        isOn={processing.noiseSuppression}
        onChange={(noiseSuppression) => process({ noiseSuppression })}
      >
        {t("call.noiseSuppression")}
      </MenuSwitch>
      <MenuSwitch
        isOn={processing.echoCancellation}
        onChange={(echoCancellation) => process({ echoCancellation })}
      >
        {t("call.echoCancellation")}
      </MenuSwitch>
    </>
  );
}
