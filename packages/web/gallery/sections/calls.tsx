import type { ReactNode } from "react";
import { NO_DEVICES, NO_MEDIA } from "@parley/core/model/calls/call";
import type { Call, DeviceProblem, PrivateCallView } from "@parley/core/model/calls/call";
import { MessageType } from "@parley/protocol/codes";
import type { PrivateMessage } from "@parley/protocol/message";
import { IncomingCall } from "../../src/features/calls/incoming-call.tsx";
import { MinimisedCall } from "../../src/features/calls/minimised-call.tsx";
import { Button } from "../../src/ui/button.tsx";
import { Menu } from "../../src/ui/menu.tsx";
import { MenuSwitch } from "../../src/ui/menu-switch.tsx";
import { CallOpener } from "../call-opener.tsx";
import { Conversation } from "../conversation.tsx";
import { callPerson, groupCall, privateCall, voiceCall } from "../sample-calls.ts";
import { mine, theirs } from "../sample-rows.ts";
import { LONG_NAME } from "../sample-state.ts";
import { useIsMobile } from "../../src/ui/use-media.ts";
import { Opener, Sample, Samples as Row } from "../sample.tsx";
import styles from "../gallery.module.css";

const ignore = () => undefined;
const ON = { kind: "on" } as const;
const OFF = { kind: "off" } as const;
const OPENING = { kind: "opening" } as const;
const failed = (problem: DeviceProblem) => ({ kind: "failed", problem }) as const;
const connected = { ...NO_MEDIA, connection: "connected", quality: "good" } as const;

const VOICE: Readonly<Record<string, PrivateCallView>> = {
  "devices are being opened": voiceCall({
    stage: "opening",
    seconds: null,
    local: { ...NO_DEVICES, microphone: OPENING },
  }),
  "it rings there": voiceCall({ stage: "calling", seconds: null, peer: NO_MEDIA }),
  connecting: voiceCall({
    stage: "connecting",
    seconds: null,
    peer: { ...NO_MEDIA, connection: "connecting" },
  }),
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
  "devices are being opened": privateCall({
    stage: "opening",
    seconds: null,
    local: { ...NO_DEVICES, microphone: ON, camera: OPENING },
    peer: NO_MEDIA,
  }),
  "it rings there": privateCall({ stage: "calling", seconds: null, peer: NO_MEDIA }),
  connecting: privateCall({
    stage: "connecting",
    seconds: null,
    peer: { ...NO_MEDIA, connection: "connecting" },
  }),
  "both have a picture": privateCall({ seconds: 4_000 }),
  "their camera is off": privateCall({ peer: { ...connected, isSpeaking: true } }),
  "my camera is off, with a long name": privateCall({
    userId: LONG_NAME,
    local: { ...NO_DEVICES, microphone: ON },
    peer: { ...connected, isCamera: true, isMicroPhone: false },
  }),
  "their camera is off, mine failed, the network is poor": privateCall({
    local: { ...NO_DEVICES, microphone: OFF, camera: failed("inUse") },
    peer: { ...connected, isMicroPhone: false, quality: "poor" },
  }),
  "both devices failed, the network is poor, without the server": privateCall({
    isSocketLost: true,
    local: { ...NO_DEVICES, microphone: failed("denied"), camera: failed("denied") },
    peer: { ...connected, isCamera: true, quality: "poor" },
  }),
  "they share a screen, and so do I": privateCall({
    local: { ...NO_DEVICES, microphone: ON, camera: OFF, screen: "on" },
    peer: { ...connected, isShareScreen: true },
  }),
  "it connects again": privateCall({ peer: { ...connected, isCamera: true, connection: "reconnecting" } }),
};

const INCOMING: Readonly<Record<string, Call>> = {
  voice: voiceCall({ stage: "ringing", userId: LONG_NAME }),
  video: privateCall({ stage: "ringing" }),
  group: groupCall({ stage: "ringing" }),
  "group, the host is not known": groupCall({ stage: "ringing", hostId: null }),
};

const SMALL: Readonly<Record<string, Call>> = {
  voice: voiceCall({ userId: LONG_NAME }),
  video: privateCall(),
  "it connects again": privateCall({ peer: { ...connected, isCamera: true, connection: "reconnecting" } }),
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

/** Elements that are fixed to the window stay in their sample. */
function Window({ height, children }: { height: number; children: ReactNode }) {
  return (
    <div className={styles.window} style={{ blockSize: height }}>
      {children}
    </div>
  );
}

/** A call that rings. On a phone it takes the whole window, so a button opens it, and each of its own buttons closes it. */
function Incoming({ name, call }: { name: string; call: Call }) {
  if (!useIsMobile())
    return (
      <Sample name={name}>
        <Window height={230}>
          <IncomingCall call={call} />
        </Window>
      </Sample>
    );
  return (
    <Sample name={name}>
      <Opener name={name}>
        {(close) => (
          <div onClickCapture={close}>
            <IncomingCall call={call} />
          </div>
        )}
      </Opener>
    </Sample>
  );
}

/** Calls in every state: the prompt, the windows of two people, the small window, records in a chat, and the menu of devices. */
export function Samples() {
  return (
    <>
      <Row>
        {Object.entries(INCOMING).map(([name, call]) => (
          <Incoming key={name} name={`incoming, ${name}`} call={call} />
        ))}
        {Object.entries(SMALL).map(([name, call]) => (
          <Sample key={name} name={`small, ${name}`}>
            <Window height={230}>
              <MinimisedCall call={call} />
            </Window>
          </Sample>
        ))}
        {Object.entries(VOICE).map(([name, call]) => (
          <CallOpener key={name} name={`voice, ${name}`} call={call} />
        ))}
        {Object.entries(VIDEO).map(([name, call]) => (
          <CallOpener key={name} name={`video, ${name}`} call={call} />
        ))}
        <CallOpener name="video, the sound is held back" call={privateCall()} isHeldBack />
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
