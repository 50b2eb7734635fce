import { useEffect, useState } from "react";
import { SlidersHorizontal } from "lucide-react";
import type { MediaDevice } from "@parley/core/call-ports";
import type { CallDevices } from "@parley/core/call-actions";
import { useText } from "../../kit/i18n.ts";
import type { Text } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Menu, MenuRadioGroup, MenuSeparator, SubMenu } from "../../ui/menu.tsx";
import { MenuSwitch } from "../../ui/menu-switch.tsx";
import { RoundButton } from "./round-button.tsx";
import { canChooseSpeaker, setSpeaker } from "./playback.ts";

const KINDS = ["microphone", "camera", "speaker"] as const;
const DEFAULT = "";

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
  const client = useClient();
  const [known, setKnown] = useState<CallDevices | null>(null);
  useEffect(() => {
    let isOpen = true;
    client.calls.devices().then((devices) => isOpen && setKnown(devices), reportError);
    return () => {
      isOpen = false;
    };
  }, [client]);
  if (known === null) return null;

  const choose = (kind: MediaDevice["kind"], id: string | null) => {
    client.calls.chooseDevice(kind, id);
    if (kind === "speaker") setSpeaker(id);
    setKnown({ ...known, chosen: { ...known.chosen, [kind]: id } });
  };
  const process = (part: Partial<CallDevices["processing"]>) => {
    const processing = { ...known.processing, ...part };
    client.calls.setProcessing(processing);
    setKnown({ ...known, processing });
  };
  return (
    <>
      {KINDS.filter((kind) => kind !== "speaker" || canChooseSpeaker()).map((kind) => (
        <SubMenu key={kind} label={t(`call.${kind}`)} width={280}>
          <MenuRadioGroup
            label={t(`call.${kind}`)}
            value={known.chosen[kind] ?? DEFAULT}
            items={itemsOf(kind, known.devices, t)}
            onChange={(id) => choose(kind, id === DEFAULT ? null : id)}
          />
        </SubMenu>
      ))}
      <MenuSeparator />
      <MenuSwitch
        isOn={known.processing.noiseSuppression}
        onChange={(noiseSuppression) => process({ noiseSuppression })}
      >
        {t("call.noiseSuppression")}
      </MenuSwitch>
      <MenuSwitch
        isOn={known.processing.echoCancellation}
        onChange={(echoCancellation) => process({ echoCancellation })}
      >
        {t("call.echoCancellation")}
      </MenuSwitch>
    </>
  );
}

/** The default device and all others. A device without a name, because none was allowed yet, gets a number. */
function itemsOf(kind: MediaDevice["kind"], devices: readonly MediaDevice[], t: Text) {
  const ofKind = devices.filter((device) => device.kind === kind && device.id !== DEFAULT);
  return [
    { value: DEFAULT, text: t("call.defaultDevice") },
    ...ofKind.map(({ id, label }, index) => ({
      value: id,
      text: label === "" ? t("call.unnamedDevice", { kind, number: index + 1 }) : label,
    })),
  ];
}
