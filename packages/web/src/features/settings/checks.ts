import type { Client } from "@parley/core/client-api";
import type { ServerCheck } from "@parley/core/connection/server-address";
import {
  type SoundTest,
  testSound,
  checkDevice,
  checkIceServer,
  type DeviceCheck,
  type IceCheck,
  type IceWay,
} from "../../kit/settings/browser-checks.ts";
import { desktopBridge } from "../../kit/settings/desktop.ts";
import type { TextId, TextParams } from "../../kit/i18n/i18n.ts";
import { notificationPermission } from "../../kit/settings/notification-permission.ts";

/** What a check found: good, worth knowing, of some harm, or broken. */
export type Level = "ok" | "info" | "warn" | "bad";

/** What a check found, in words, and what the person can do about it. */
export interface Finding {
  readonly level: Level;
  readonly text: TextId;
  readonly params?: TextParams;
  readonly advice?: TextId;
  /** By how many ms this device's clock is ahead of the server's, for texts with a `time`. */
  readonly clockMs?: number;
  /** The browser can be asked to keep its storage. */
  readonly canPersist?: boolean;
  /** It is a device, which is tried when the person asks for it. */
  readonly canTry?: boolean;
}

const DEVICES = ["microphone", "camera", "speaker"] as const;
const ICE_WAYS = ["stun", "turnUdp", "turnTcp", "turnTls"] as const satisfies readonly IceWay[];

/** A device that the person can try. */
type DeviceId = (typeof DEVICES)[number];

/** The lines of the self-check, in the order shown. */
export const CHECK_IDS = [
  "server",
  "socket",
  "clock",
  "secure",
  "storage",
  "notify",
  "worker",
  ...DEVICES,
  ...ICE_WAYS,
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

const SLOW_MS = 1_000;
/** Less is the delay of the network and the whole seconds of the server's answer. */
const CLOCK_WARN_MS = 30_000;

/** Runs all checks; each line is reported when it is known. Resolves when all are. */
export async function runChecks(
  client: Client,
  onFinding: (id: CheckId, finding: Finding) => void,
): Promise<void> {
  const report = async (id: CheckId, finding: Promise<Finding>) => onFinding(id, await finding);
  const server = client.session.checkServer();
  const iceServers = client.account.loadIceServers();
  await Promise.all([
    report("server", server.then(serverFinding)),
    report("clock", server.then(clockFinding)),
    report("socket", client.session.checkSocket().then(socketFinding)),
    report("secure", Promise.resolve(encryptionFinding(client))),
    report("storage", checkStorage(client)),
    report("notify", Promise.resolve(notifyFinding())),
    report("worker", checkWorker()),
    ...DEVICES.map((id) => report(id, Promise.resolve(UNTRIED))),
    ...ICE_WAYS.map((way) =>
      report(
        way,
        iceServers.then(async (servers) =>
          iceFinding(servers === null ? null : await checkIceServer(way, servers)),
        ),
      ),
    ),
  ]);
}

/** Whether a line is about a device. */
export function isDevice(id: CheckId): id is DeviceId {
  return DEVICES.some((device) => device === id);
}

/** Tries a device, after the person has asked for it. */
export async function tryDevice(id: DeviceId): Promise<Finding> {
  return id === "speaker" ? speakerFinding(await testSound()) : deviceFinding(await checkDevice(id));
}

/** The line about the server, by its answer over HTTP. */
export function serverFinding(check: ServerCheck): Finding {
  switch (check.kind) {
    case "ok": {
      const params = { ms: Math.round(check.answerMs) };
      return check.answerMs < SLOW_MS
        ? { level: "ok", text: "check.server.ok", params }
        : { level: "warn", text: "check.server.slow", params, advice: "check.server.slowAdvice" };
    }
    case "noAnswer":
      return { level: "bad", text: "check.server.noAnswer", advice: "check.server.noAnswerAdvice" };
    case "notParley":
      return { level: "bad", text: "check.server.notParley", advice: "check.server.notParleyAdvice" };
  }
}

/** The line about the clock of this device, compared with the server's. */
export function clockFinding(check: ServerCheck): Finding {
  const clockMs = check.kind === "ok" ? check.clockMs : null;
  if (clockMs === null) return { level: "info", text: "check.clock.unknown" };
  if (Math.abs(clockMs) < CLOCK_WARN_MS) return { level: "ok", text: "check.clock.ok" };
  return {
    level: "warn",
    text: clockMs > 0 ? "check.clock.ahead" : "check.clock.behind",
    clockMs,
    advice: "check.clock.advice",
  };
}

/** The line about the socket, by the time of its answer. */
export function socketFinding(ms: number | null): Finding {
  return ms === null
    ? { level: "bad", text: "check.socket.none", advice: "check.socket.advice" }
    : { level: "ok", text: "check.socket.ok", params: { ms: Math.round(ms) } };
}

/** The line about the encryption of the page. Browsers trust pages of this computer as if they were https. */
function encryptionFinding({ session }: Client): Finding {
  return desktopBridge() === null
    ? secureFinding(isSecureContext, location.protocol)
    : desktopFinding(session.customServer());
}

/** The page of the desktop application is safe in itself; the way to the server may not be. */
export function desktopFinding(server: string): Finding {
  return server.startsWith("https:")
    ? { level: "ok", text: "check.secure.ok" }
    : { level: "warn", text: "check.secure.plain" };
}

export function secureFinding(isSecure: boolean, protocol: string): Finding {
  if (!isSecure) return { level: "warn", text: "check.secure.plain", advice: "check.secure.advice" };
  return { level: "ok", text: protocol === "https:" ? "check.secure.ok" : "check.secure.local" };
}

async function checkStorage(client: Client): Promise<Finding> {
  if (client.getState().storage === "memory")
    return { level: "bad", text: "check.storage.none", advice: "check.storage.noneAdvice" };
  // Pages without https have no such manager.
  const manager = navigator.storage as StorageManager | undefined;
  if ((await manager?.persisted().catch(() => false)) === true)
    return { level: "ok", text: "check.storage.kept" };
  const canPersist = manager !== undefined;
  return {
    level: "info",
    text: "check.storage.ok",
    canPersist,
    ...(canPersist && { advice: "check.storage.advice" }),
  };
}

function notifyFinding(): Finding {
  const permission = notificationPermission();
  switch (permission) {
    case "granted":
      return { level: "ok", text: "check.notify.granted" };
    case "default":
      return { level: "info", text: "check.notify.default", advice: "check.notify.advice" };
    case "denied":
      return { level: "warn", text: "settings.notifyDenied", advice: undoHintFor(navigator.userAgent) };
    case "plain":
      return { level: "warn", text: "settings.notifyPlain" };
    case "missing":
      return { level: "info", text: "settings.notifyMissing" };
  }
}

async function checkWorker(): Promise<Finding> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (container === undefined) return { level: "info", text: "check.worker.missing" };
  const registration = await container.getRegistration().catch(() => undefined);
  return registration?.active == null
    ? { level: "info", text: "check.worker.none" }
    : { level: "ok", text: "check.worker.ok" };
}

/** The line about a device that was not tried: a check opens none without being asked. */
export const UNTRIED: Finding = { level: "info", text: "check.device.untried", canTry: true };

const NOT_LOADED: Finding = { level: "warn", text: "app.chunkFailed" };

/** The line about the microphone or the camera, after it was tried. */
export function deviceFinding(check: DeviceCheck): Finding {
  if (check.kind === "works")
    return { level: "ok", text: "check.device.works", params: { name: check.name }, canTry: true };
  if (check.kind === "notLoaded") return { ...NOT_LOADED, canTry: true };
  return {
    level: "warn",
    text: `check.device.${check.kind}`,
    advice: `check.device.${check.kind}Advice`,
    canTry: true,
  };
}

/** The line about the speaker, after it was tried. */
export function speakerFinding(test: SoundTest): Finding {
  return { level: test === "played" ? "ok" : "warn", text: `settings.testSound.${test}`, canTry: true };
}

/** The line about a way to the servers for calls; null: the server did not name any. A server need not have one. */
export function iceFinding(check: IceCheck | null): Finding {
  switch (check?.kind) {
    case undefined:
      return { level: "info", text: "check.ice.unknown" };
    case "works":
      return { level: "ok", text: "check.ice.works", params: { ms: Math.round(check.ms) } };
    case "notSetUp":
      return { level: "info", text: "check.ice.notSetUp" };
    case "notLoaded":
      return NOT_LOADED;
    case "refused":
    case "noAnswer":
    case "unsupported":
      return { level: "warn", text: `check.ice.${check.kind}`, advice: `check.ice.${check.kind}Advice` };
  }
}

/** Text that tells where the notification permission can be changed in this browser. */
export function undoHintFor(userAgent: string): TextId {
  if (/Firefox\//.test(userAgent)) return "settings.undoFirefox";
  if (/Chrome\/|Chromium\/|Edg/.test(userAgent)) return "settings.undoChrome";
  if (/Safari\//.test(userAgent)) return "settings.undoSafari";
  return "settings.undoOther";
}
