import type { ReactNode } from "react";
import { NO_DEVICES, NO_MEDIA } from "@parley/core/model/calls/call";
import type { Call, DeviceProblem, PrivateCallView } from "@parley/core/model/calls/call";
import { MessageType } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { IncomingCall } from "../../src/features/calls/incoming-call.tsx";
import { MinimisedCall } from "../../src/features/calls/minimised-call.tsx";
import { PrivateCall } from "../../src/features/calls/private-call.tsx";
import { Button } from "../../src/ui/button.tsx";
import { Menu } from "../../src/ui/menu.tsx";
import { MenuSwitch } from "../../src/ui/menu-switch.tsx";
import { SurfaceDialog } from "../../src/ui/surface-dialog.tsx";
import { Conversation } from "../conversation.tsx";
import { callPerson, groupCall, privateCall, voiceCall } from "../sample-calls.ts";
import { mine, theirs } from "../sample-rows.ts";
import { LONG_NAME } from "../sample-state.ts";
import { Opener, Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const ignore = () => undefined;
const ON = { kind: "on" } as const;
const OFF = { kind: "off" } as const;
const failed = (problem: DeviceProblem) => ({ kind: "failed", problem }) as const;
const connected = { ...NO_MEDIA, connection: "connected", quality: "good" } as const;

const VOICE: Readonly<Record<string, PrivateCallView>> = {
  "devices are being opened": voiceCall({ stage: "opening", seconds: null }),
  "it rings there": voiceCall({ stage: "calling", seconds: null, peer: NO_MEDIA }),
  "they speak, with a long name": voiceCall({ userId: LONG_NAME, peer: { ...connected, isSpeaking: true } }),
  "they are muted, I speak while I am": voiceCall({
    local: { ...NO_DEVICES, microphone: OFF, isSpeaking: true },
    peer: { ...connected, isMicroPhone: false },
  }),
  "the microphone failed": voiceCall({ local: { ...NO_DEVICES, microphone: failed("denied") } }),
  "it connects again, without the server": voiceCall({
    isSocketLost: true,
    peer: { ...connected, connection: "reconnecting" },
  }),
};

const VIDEO: Readonly<Record<string, PrivateCallView>> = {
  "it rings there": privateCall({ stage: "calling", seconds: null, peer: NO_MEDIA }),
  "both have a picture": privateCall({ seconds: 4_000 }),
  "their camera is off, mine failed, the network is poor": privateCall({
    local: { ...NO_DEVICES, microphone: OFF, camera: failed("inUse") },
    peer: { ...connected, isMicroPhone: false, quality: "poor" },
  }),
  "they share a screen, and so do I": privateCall({
    local: { ...NO_DEVICES, microphone: ON, camera: OFF, screen: "on" },
    peer: { ...connected, isShareScreen: true },
  }),
};

const INCOMING: Readonly<Record<string, Call>> = {
  voice: voiceCall({ stage: "ringing", userId: LONG_NAME }),
  video: privateCall({ stage: "ringing" }),
  group: groupCall({ stage: "ringing" }),
};

const SMALL: Readonly<Record<string, Call>> = {
  voice: voiceCall({ userId: LONG_NAME }),
  video: privateCall(),
  "it rings there": voiceCall({ stage: "calling", seconds: null, local: NO_DEVICES }),
  group: groupCall(),
  "group with a picture": groupCall({ people: [callPerson(9, { isCamera: true })] }),
};

const record = (type: number, result: string): Partial<PrivateMessage> => ({
  type,
  content: "",
  act: { result, seconds: 768 },
});
const RESULTS = ["ended", "cancelled", "rejected", "unanswered", "busy", "failed"] as const;

/** What is fixed to the window stays in its sample. */
function Window({ height, children }: { height: number; children: ReactNode }) {
  return (
    <div className={styles.window} style={{ blockSize: height }}>
      {children}
    </div>
  );
}

function Surface({ width, children }: { width: number; children: ReactNode }) {
  return (
    <div className={styles.surface} style={{ inlineSize: width }}>
      {children}
    </div>
  );
}

/** Calls in every state: the prompt, the windows of two people, the small window, records in a chat, and the menu of devices. */
export function Samples() {
  return (
    <>
      <Row>
        {Object.entries(INCOMING).map(([name, call]) => (
          <Sample key={name} name={`incoming, ${name}`}>
            <Window height={230}>
              <IncomingCall call={call} />
            </Window>
          </Sample>
        ))}
        {Object.entries(SMALL).map(([name, call]) => (
          <Sample key={name} name={`small, ${name}`}>
            <Window height={230}>
              <MinimisedCall call={call} />
            </Window>
          </Sample>
        ))}
        {Object.entries(VOICE).map(([name, call]) => (
          <Sample key={name} name={`voice, ${name}`}>
            <Surface width={360}>
              <PrivateCall call={call} />
            </Surface>
          </Sample>
        ))}
        {Object.entries(VIDEO).map(([name, call]) => (
          <Sample key={name} name={`video, ${name}`}>
            <Surface width={960}>
              <PrivateCall call={call} />
            </Surface>
          </Sample>
        ))}
        <Sample name="menu">
          <Menu trigger={<Button data-opener="menu with switches">Menu</Button>}>
            <MenuSwitch isOn onChange={ignore}>
              降噪 Noise suppression
            </MenuSwitch>
            <MenuSwitch isOn={false} onChange={ignore}>
              回声消除 Echo cancellation
            </MenuSwitch>
          </Menu>
        </Sample>
        <Opener name="video call">
          {(close) => (
            <SurfaceDialog title="Call" width="min(960px, 160dvh)" onEscape={close}>
              <PrivateCall call={privateCall()} />
            </SurfaceDialog>
          )}
        </Opener>
        <Opener name="voice call">
          {(close) => (
            <SurfaceDialog title="Call" width="360px" onEscape={close}>
              <PrivateCall call={voiceCall()} />
            </SurfaceDialog>
          )}
        </Opener>
      </Row>
      <Sample name="records" isWide>
        <Conversation
          messages={RESULTS.flatMap((result, index) => [
            theirs(2 * index + 1, record(MessageType.ACT_RT_VOICE, result)),
            mine(2 * index + 2, record(MessageType.ACT_RT_VIDEO, result)),
          ])}
        />
      </Sample>
    </>
  );
}
