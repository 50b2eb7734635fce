import type { CallDevices } from "@parley/core/call-actions";
import { NO_DEVICES, NO_MEDIA } from "@parley/core/model/calls/call";
import type { GroupCallPersonView, GroupCallView, PrivateCallView } from "@parley/core/model/calls/call";
import { FRIEND, GROUP } from "@parley/core/testing/builders";

const ON = { kind: "on" } as const;

/** A video call in which both talk, with changes. */
export function privateCall(part: Partial<PrivateCallView> = {}): PrivateCallView {
  return {
    kind: "private",
    stage: "talking",
    userId: FRIEND,
    mode: "video",
    isCaller: true,
    seconds: 266,
    isSocketLost: false,
    local: { ...NO_DEVICES, microphone: ON, camera: ON },
    peer: { ...NO_MEDIA, connection: "connected", isCamera: true, quality: "good" },
    ...part,
  };
}

/** The same with voice. */
export function voiceCall(part: Partial<PrivateCallView> = {}): PrivateCallView {
  return privateCall({
    mode: "voice",
    local: { ...NO_DEVICES, microphone: ON },
    peer: { ...NO_MEDIA, connection: "connected", quality: "good" },
    ...part,
  });
}

/** Somebody else in the call of a group. */
export function callPerson(userId: number, part: Partial<GroupCallPersonView> = {}): GroupCallPersonView {
  return {
    ...NO_MEDIA,
    userId,
    nickName: `Person ${userId}`,
    headImage: null,
    isIn: true,
    connection: "connected",
    quality: "good",
    ...part,
  };
}

/** The call of a group with two others, with changes. */
export function groupCall(part: Partial<GroupCallView> = {}): GroupCallView {
  return {
    kind: "group",
    stage: "talking",
    groupId: GROUP,
    hostId: FRIEND,
    seconds: 75,
    isSocketLost: false,
    local: { ...NO_DEVICES, microphone: ON },
    people: [callPerson(FRIEND), callPerson(9)],
    ...part,
  };
}

/** The devices of the samples; the second microphone has no name yet. */
export const SAMPLE_DEVICES: CallDevices = {
  devices: [
    { kind: "microphone", id: "m1", label: "Headset with a very long name of its maker (USB Audio 2.0)" },
    { kind: "microphone", id: "m2", label: "" },
    { kind: "camera", id: "c1", label: "FaceTime HD" },
    { kind: "speaker", id: "s1", label: "Headset" },
  ],
  chosen: { microphone: "m1", camera: null, speaker: null },
  processing: { noiseSuppression: true, echoCancellation: false },
};

const streams = new Map<string, MediaStream>();

/** A picture of a person that does not move: the own one, or that of somebody else. */
export function sampleStream(whose: "own" | "other"): MediaStream {
  const stream =
    streams.get(whose) ?? drawStream(whose === "own" ? ["#b79c84", "#46505f"] : ["#7fa3a6", "#2f5d73"]);
  streams.set(whose, stream);
  return stream;
}

function drawStream([wall, shirt]: readonly [string, string]): MediaStream {
  const canvas = document.createElement("canvas");
  canvas.width = 480;
  canvas.height = 270;
  const context = canvas.getContext("2d");
  const draw = () => {
    if (context === null) return;
    context.fillStyle = wall;
    context.fillRect(0, 0, 480, 270);
    const circle = (colour: string, y: number, radius: number) => {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(240, y, radius, 0, 2 * Math.PI);
      context.fill();
    };
    circle(shirt, 290, 110);
    circle("#e6b896", 115, 52);
  };
  const stream = canvas.captureStream();
  // A frame is captured when the canvas is drawn, and not before somebody plays it.
  setInterval(draw, 500);
  draw();
  return stream;
}
