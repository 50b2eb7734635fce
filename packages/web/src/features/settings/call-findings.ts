import type { SoundTest } from "../../kit/alert-tests.ts";
import type { DeviceCheck, IceCheck } from "../../kit/call-checks.ts";
import type { Finding } from "./checks.ts";

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
