import { useEffect, useState } from "react";
import { create } from "zustand";
import type { MediaDevice, SoundProcessing } from "@parley/core/call-ports";
import type { CallDevices } from "@parley/core/call-actions";
import type { Translate } from "../i18n/i18n.ts";
import { useClient } from "../loading/use-client.ts";

/** The loudspeaker that calls are played through; null is the default one. The core keeps the choice, and the page plays. */
const useChosenSpeaker = create<{ readonly id: string | null }>(() => ({ id: null }));

/** The chosen loudspeaker. */
export function useSpeaker(): string | null {
  return useChosenSpeaker(({ id }) => id);
}

/** Plays calls through this loudspeaker from now on; null is the default one. */
export function setSpeaker(id: string | null): void {
  useChosenSpeaker.setState({ id });
}

/** Whether this browser lets a page choose the loudspeaker. */
export function canChooseSpeaker(): boolean {
  return "setSinkId" in HTMLMediaElement.prototype;
}

/** The devices for calls, and how to choose them; null until they are known. Devices that are plugged in or out later are seen. */
export function useCallDevices() {
  const { calls } = useClient();
  const [known, setKnown] = useState<CallDevices | null>(null);
  useEffect(() => {
    let isOpen = true;
    const read = () => {
      calls.devices().then((devices) => isOpen && setKnown(devices), reportError);
    };
    read();
    // A page that is not secure has no devices.
    const media = navigator.mediaDevices as MediaDevices | undefined;
    media?.addEventListener("devicechange", read);
    return () => {
      isOpen = false;
      media?.removeEventListener("devicechange", read);
    };
  }, [calls]);
  if (known === null) return null;
  return {
    ...known,
    kinds: DEVICE_KINDS.filter((kind) => kind !== "speaker" || canChooseSpeaker()),
    /** `value`: that of an item of `deviceItems`. */
    choose(kind: MediaDevice["kind"], value: string) {
      const id = value === DEFAULT_DEVICE ? null : value;
      calls.chooseDevice(kind, id);
      if (kind === "speaker") setSpeaker(id);
      setKnown({ ...known, chosen: { ...known.chosen, [kind]: id } });
    },
    process(part: Partial<SoundProcessing>) {
      const processing = { ...known.processing, ...part };
      calls.setProcessing(processing);
      setKnown({ ...known, processing });
    },
  };
}

const DEVICE_KINDS = ["microphone", "camera", "speaker"] as const satisfies readonly MediaDevice["kind"][];

/** The value of the item of the default device. */
export const DEFAULT_DEVICE = "";

/** The default device and all others. A device without a name, because none was allowed yet, gets a number. */
export function deviceItems(kind: MediaDevice["kind"], devices: readonly MediaDevice[], t: Translate) {
  const ofKind = devices.filter((device) => device.kind === kind && device.id !== DEFAULT_DEVICE);
  return [
    { value: DEFAULT_DEVICE, text: t("call.defaultDevice") },
    ...ofKind.map(({ id, label }, index) => ({
      value: id,
      text: label === "" ? t("call.unnamedDevice", { kind, number: index + 1 }) : label,
    })),
  ];
}
