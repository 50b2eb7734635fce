import type { MediaDevice, SoundProcessing } from "../call-ports.ts";
import type { KeyValue } from "../ports.ts";
import { parseObject } from "../model/parse-object.ts";

/** Which devices the person uses for calls in this browser. */
export interface DeviceChoices {
  /** The id of the device; null: the default one. Ids change, so a device with the remembered name counts as well. */
  chosen(kind: MediaDevice["kind"]): string | null;
  choose(kind: MediaDevice["kind"], device: MediaDevice | null): void;
  processing(): SoundProcessing;
  setProcessing(processing: SoundProcessing): void;
  /** The devices that exist, so that a remembered one is found by its name. */
  update(devices: readonly MediaDevice[]): void;
}

const KEY = "parley.callDevices";

interface Saved {
  readonly devices: Partial<Record<MediaDevice["kind"], { readonly id: string; readonly label: string }>>;
  readonly processing: SoundProcessing;
}

/** Reads and saves the choices in the storage of the browser. */
export function createDeviceChoices(local: KeyValue, defaults: SoundProcessing): DeviceChoices {
  let existing: readonly MediaDevice[] = [];

  /** Other tabs save as well. */
  function read(): Saved {
    const value = parseObject(local.get(KEY) ?? undefined);
    const processing = asObject(value?.["processing"]);
    const devices = asObject(value?.["devices"]);
    const flag = (name: keyof SoundProcessing) =>
      typeof processing[name] === "boolean" ? processing[name] : defaults[name];
    return {
      devices: Object.fromEntries(
        (["microphone", "camera", "speaker"] as const).flatMap((kind) => {
          const { id, label } = asObject(devices[kind]);
          return typeof id === "string" && typeof label === "string" ? [[kind, { id, label }]] : [];
        }),
      ),
      processing: {
        noiseSuppression: flag("noiseSuppression"),
        echoCancellation: flag("echoCancellation"),
      },
    };
  }

  function save(next: Saved): void {
    local.set(KEY, JSON.stringify(next));
  }

  return {
    chosen(kind) {
      const choice = read().devices[kind];
      if (choice === undefined) return null;
      const ofKind = existing.filter((device) => device.kind === kind);
      if (ofKind.some(({ id }) => id === choice.id)) return choice.id;
      const renamed = ofKind.find(({ label }) => label !== "" && label === choice.label);
      return renamed?.id ?? (existing.length === 0 ? choice.id : null);
    },
    choose(kind, device) {
      const saved = read();
      const { [kind]: _, ...others } = saved.devices;
      const devices =
        device === null ? others : { ...others, [kind]: { id: device.id, label: device.label } };
      save({ ...saved, devices });
    },
    processing: () => read().processing,
    setProcessing: (processing) => save({ ...read(), processing }),
    update: (devices) => void (existing = devices),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
