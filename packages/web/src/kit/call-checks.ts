import type { IceServer } from "@parley/core/call-ports";

/** What came of opening a device: its name, or why it could not be opened. */
export type DeviceCheck =
  | { readonly kind: "works"; readonly name: string }
  | { readonly kind: "denied" | "missing" | "inUse" | "insecure" | "unknown" };

/** A way to the servers for calls. */
export type IceWay = "stun" | "turnUdp" | "turnTcp" | "turnTls";

/** What came of asking the servers of a way. `refused`: they do not accept the credentials. */
export type IceCheck =
  | { readonly kind: "works"; readonly ms: number }
  | { readonly kind: "notSetUp" | "refused" | "noAnswer" | "unsupported" };

/** What the self-check of calls needs of this browser. */
export interface CallChecks {
  /** Opens a device, for which the browser may ask the person, and closes it at once. */
  device(kind: "microphone" | "camera"): Promise<DeviceCheck>;
  server(way: IceWay, servers: readonly IceServer[]): Promise<IceCheck>;
}

let current: CallChecks | null = null;

/** Sets what the checks use. Call it once, before the settings can be opened. */
export function setCallChecks(checks: CallChecks): void {
  current = checks;
}

/** Opens a device and closes it. */
export async function checkDevice(kind: "microphone" | "camera"): Promise<DeviceCheck> {
  return (await current?.device(kind)) ?? { kind: "unknown" };
}

/** Asks the servers of a way whether they work from here. */
export async function checkIceServer(way: IceWay, servers: readonly IceServer[]): Promise<IceCheck> {
  return (await current?.server(way, servers)) ?? { kind: "unsupported" };
}
