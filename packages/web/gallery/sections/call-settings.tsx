import type { DeviceCheck, IceCheck } from "../../src/kit/settings/browser-checks.ts";
import {
  type CheckId,
  deviceFinding,
  type Finding,
  iceFinding,
  speakerFinding,
  UNTRIED,
} from "../../src/features/settings/checks.ts";
import { CallSettings } from "../../src/features/settings/call-settings.tsx";
import { CheckLine } from "../../src/features/settings/connection-check.tsx";
import { Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const DEVICE_CHECKS: readonly DeviceCheck[] = [
  { kind: "works", name: "Headset with a very long name of its maker (USB Audio 2.0)" },
  ...(["denied", "missing", "inUse", "insecure", "unknown", "notLoaded"] as const).map((kind) => ({ kind })),
];
const ICE_CHECKS: readonly (IceCheck | null)[] = [
  { kind: "works", ms: 41.3 },
  ...(["notSetUp", "refused", "noAnswer", "unsupported", "notLoaded"] as const).map((kind) => ({ kind })),
  null,
];

/** Lines of the self-check; `undefined`: the check runs. */
const LINES: readonly (readonly [id: CheckId, findings: readonly (Finding | undefined)[]])[] = [
  ["microphone", [undefined, UNTRIED, ...DEVICE_CHECKS.map(deviceFinding)]],
  ["camera", [UNTRIED, deviceFinding({ kind: "works", name: "FaceTime HD" })]],
  ["speaker", [UNTRIED, speakerFinding("played"), speakerFinding("blocked")]],
  ["stun", [iceFinding({ kind: "works", ms: 41.3 })]],
  ["turnUdp", [undefined, ...ICE_CHECKS.map(iceFinding)]],
  ["turnTcp", [iceFinding({ kind: "works", ms: 77 })]],
  ["turnTls", [iceFinding({ kind: "works", ms: 102 })]],
];

const ignore = () => Promise.resolve();

/** The settings of calls, and what the self-check says of them. */
export function Samples() {
  return (
    <Row>
      <Sample name="settings of calls">
        <div className={styles.settings}>
          <CallSettings />
        </div>
      </Sample>
      <Sample name="self-check of calls">
        <ul className={styles.settings}>
          {LINES.flatMap(([id, findings]) =>
            findings.map((finding, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the lines never change
              <CheckLine key={`${id}${index}`} id={id} finding={finding} onPersist={ignore} onTry={ignore} />
            )),
          )}
        </ul>
      </Sample>
    </Row>
  );
}
