import { NO_DEVICES } from "@parley/core/model/calls/call";
import type { DeviceProblem, GroupCallView } from "@parley/core/model/calls/call";
import { FRIEND, GROUP } from "@parley/core/testing/builders";
import { GroupCallBar } from "../../src/features/chat/group-call-bar.tsx";
import { GroupCallButton } from "../../src/features/chat/group-call-button.tsx";
import { CallOpener } from "../call-opener.tsx";
import { callPerson, groupCall } from "../sample-calls.ts";
import { CALLED_GROUP, LONG_NAME, MUTED_GROUP } from "../sample-state.ts";
import { Sample, Samples as Row } from "../sample.tsx";

const ON = { kind: "on" } as const;
const OFF = { kind: "off" } as const;
const failed = (problem: DeviceProblem) => ({ kind: "failed", problem }) as const;
const ringing = (userId: number) => callPerson(userId, { isIn: false, connection: "none", quality: null });
const WITH_CAMERA = { local: { ...NO_DEVICES, microphone: ON, camera: ON } };
const THREE = [
  callPerson(FRIEND, { isCamera: true, isSpeaking: true }),
  callPerson(41, { nickName: "Owen Chase", isMicroPhone: false, quality: "poor" }),
  ringing(42),
];

/** Calls of a group by what is special about them. */
const CALLS: Readonly<Record<string, GroupCallView>> = {
  "group call, devices are being opened": groupCall({
    stage: "opening",
    seconds: null,
    local: NO_DEVICES,
    people: [],
  }),
  "group call, it rings there": groupCall({ stage: "calling", seconds: null, people: [ringing(FRIEND)] }),
  "group call of one": groupCall({ ...WITH_CAMERA, people: [] }),
  "group call of two": groupCall({ ...WITH_CAMERA, people: [callPerson(FRIEND, { isCamera: true })] }),
  "group call of two, my devices failed": groupCall({
    local: { ...NO_DEVICES, microphone: failed("denied"), camera: failed("missing") },
    people: [callPerson(LONG_NAME, { isMicroPhone: false })],
  }),
  "group call of four, I speak while muted": groupCall({
    local: { ...NO_DEVICES, microphone: OFF, camera: ON, isSpeaking: true },
    people: [callPerson(FRIEND, { isShareScreen: true }), ...THREE.slice(1)],
  }),
  "group call of four": groupCall({ ...WITH_CAMERA, seconds: 727, people: THREE }),
  "group call of nine, without the server": groupCall({
    ...WITH_CAMERA,
    seconds: 3_727,
    isSocketLost: true,
    people: [
      ...THREE,
      callPerson(43, { isCamera: true, connection: "reconnecting" }),
      callPerson(44, { nickName: "何安然", connection: "connecting" }),
      callPerson(45, { connection: "failed" }),
      callPerson(46, { isCamera: true, quality: "fair", isMicroPhone: false }),
      callPerson(LONG_NAME, { isSpeaking: true }),
    ],
  }),
};

/** The call of a group, and how one gets into it. */
export function Samples() {
  return (
    <>
      <Row>
        {Object.entries(CALLS).map(([name, call]) => (
          <CallOpener key={name} name={name} call={call} />
        ))}
      </Row>
      <Sample name="button: call, join, muted">
        <GroupCallButton groupId={GROUP} />
        <GroupCallButton groupId={CALLED_GROUP} />
        <GroupCallButton groupId={MUTED_GROUP} />
      </Sample>
      <Sample name="bar: may join, may not" isWide>
        <GroupCallBar groupId={CALLED_GROUP} />
        <GroupCallBar groupId={MUTED_GROUP} />
      </Sample>
    </>
  );
}
