import type { IceServer } from "@parley/core/call-ports";

/** What a test of the sound found: it played, or why it did not. */
export type SoundTest = "played" | "unsupported" | "blocked" | "notLoaded";

/** How this page sounds and notifies, for the tests in the settings. */
export interface AlertTests {
  playSound(): Promise<SoundTest>;
  /** Call it only with the permission to show notifications. False: the browser refused or failed. */
  showNotification(title: string, body: string): Promise<boolean>;
}

let current: AlertTests | null = null;

/** Sets what the tests use. Call it once, before the settings can be opened. */
export function setAlertTests(tests: AlertTests): void {
  current = tests;
}

/** Plays the sound of a new message, also if sounds are off. */
export async function testSound(): Promise<SoundTest> {
  return (await current?.playSound()) ?? "unsupported";
}

/** Shows a sample notification, also if they are off. */
export async function testNotification(title: string, body: string): Promise<boolean> {
  return (await current?.showNotification(title, body)) ?? false;
}

/** What came of opening a device: its name, or why it could not be opened. `notLoaded`: the program has no network. */
export type DeviceCheck =
  | { readonly kind: "works"; readonly name: string }
  | { readonly kind: "denied" | "missing" | "inUse" | "insecure" | "unknown" | "notLoaded" };

/** A way to the servers for calls. */
export type IceWay = "stun" | "turnUdp" | "turnTcp" | "turnTls";

/** What came of asking the servers of a way. `refused`: they do not accept the credentials. */
export type IceCheck =
  | { readonly kind: "works"; readonly ms: number }
  | { readonly kind: "notSetUp" | "refused" | "noAnswer" | "unsupported" | "notLoaded" };

/** What the self-check of calls needs of this browser. */
export interface CallChecks {
  /** Opens a device, for which the browser may ask the person, and closes it at once. */
  device(kind: "microphone" | "camera"): Promise<DeviceCheck>;
  server(way: IceWay, servers: readonly IceServer[]): Promise<IceCheck>;
}

let load: (() => Promise<CallChecks>) | null = null;

/** Sets how the checks are loaded. Call it once, before the settings can be opened. */
export function setCallChecks(loadChecks: () => Promise<CallChecks>): void {
  load = loadChecks;
}

/** Opens a device and closes it. */
export async function checkDevice(kind: "microphone" | "camera"): Promise<DeviceCheck> {
  return (await loadChecks())?.device(kind) ?? { kind: "notLoaded" };
}

/** Asks the servers of a way whether they work from here. */
export async function checkIceServer(way: IceWay, servers: readonly IceServer[]): Promise<IceCheck> {
  return (await loadChecks())?.server(way, servers) ?? { kind: "notLoaded" };
}

/** Null: this part of the program could not be loaded, and the person sees that. */
async function loadChecks(): Promise<CallChecks | null> {
  try {
    return (await load?.()) ?? null;
  } catch {
    return null;
  }
}
