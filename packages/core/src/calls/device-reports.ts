import type { LocalDevices } from "../model/calls/call.ts";
import type { Result } from "../model/state.ts";
import type { LocalMedia } from "./local-media.ts";

/** Tells the others in a call which of my devices are on. */
export interface DeviceReports {
  /** Sends a report if the others know something else. */
  update(): void;
  /** Sends reports that have failed again. */
  retry(): void;
}

/** The devices as the others know them. A screen is sent in the place of the camera, and counts as one for clients that know of cameras only. */
export interface DeviceReport {
  readonly isCamera: boolean;
  readonly isMicroPhone: boolean;
  readonly isShareScreen: boolean;
}

/** How reports are sent, and of which devices. */
export interface DeviceReportDeps {
  /** The devices that the others assume before the first report. */
  readonly known: DeviceReport;
  media(): LocalMedia;
  /** Whether a report can be sent. */
  canSend(): boolean;
  send(report: DeviceReport): Promise<Result<null>>;
  onFailure(failure: Extract<Result<null>, { ok: false }>["failure"]): void;
}

/** Creates the reports of one call. */
export function createDeviceReports(deps: DeviceReportDeps): DeviceReports {
  const { media, canSend, send, onFailure } = deps;
  let { known } = deps;
  /** The report that has failed. It is not tried again at each change of something else. */
  let failed: DeviceReport | null = null;
  let isSending = false;

  function update(): void {
    if (isSending || !canSend()) return;
    const report = reportOf(media().view(), known);
    if (isSame(report, known) || (failed !== null && isSame(report, failed))) return;
    isSending = true;
    void send(report).then((result) => {
      if (result.ok) [known, failed] = [report, null];
      else {
        failed = report;
        onFailure(result.failure);
        if (canSend()) turnOffUnknown(report);
      }
      isSending = false;
      update();
    });
  }

  /** Devices that the others do not know to be on go off again. Devices that the person has turned off stay off, and are reported later. */
  function turnOffUnknown({ isCamera, isMicroPhone }: DeviceReport): void {
    if (isMicroPhone && !known.isMicroPhone) media().setMicrophone(false);
    if (!isCamera || known.isCamera) return;
    media().setScreen(false);
    media().setCamera(false);
  }

  return {
    update,
    retry() {
      failed = null;
      update();
    },
  };
}

/** A device that is being opened counts as before. */
function reportOf({ microphone, camera, screen }: LocalDevices, known: DeviceReport): DeviceReport {
  return {
    isMicroPhone: microphone.kind === "opening" ? known.isMicroPhone : microphone.kind === "on",
    isShareScreen: screen === "on",
    isCamera: camera.kind === "on" || screen === "on" || (camera.kind === "opening" && known.isCamera),
  };
}

function isSame(a: DeviceReport, b: DeviceReport): boolean {
  return (
    a.isCamera === b.isCamera && a.isMicroPhone === b.isMicroPhone && a.isShareScreen === b.isShareScreen
  );
}
