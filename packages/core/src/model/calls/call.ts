import type { CallMode } from "@parley/protocol/entities";
import type { Failure } from "../state.ts";

/** The call of this page, as screens show it. A page is in one call at most. */
export type Call = PrivateCallView | GroupCallView;

/** What both kinds of calls have. */
export interface CallParts {
  /** Seconds that the call lasts; null until somebody is connected. Counts by a clock that nobody sets (spec §9: ticks each second). */
  readonly seconds: number | null;
  readonly local: LocalDevices;
  /** The socket has been closed for more than 5 s; the call goes on. */
  readonly isSocketLost: boolean;
}

/** A call between two people. */
export interface PrivateCallView extends CallParts {
  readonly kind: "private";
  readonly stage: PrivateCallStatus;
  readonly userId: number;
  readonly mode: CallMode;
  readonly isCaller: boolean;
  readonly peer: RemoteMedia;
}

/** Where a private call stands. Spec §4: `calling` and `ringing` are WAITING, `connecting` and `talking` are CHATING. */
export type PrivateCallStatus =
  /** The caller's devices are being opened; nothing is sent yet. */
  | "opening"
  /** It rings at the other person. */
  | "calling"
  /** It rings here. */
  | "ringing"
  /** Accepted here, and not confirmed by the server. */
  | "accepting"
  /** Accepted; the connection is being made. */
  | "connecting"
  | "talking";

/** The call of a group. */
export interface GroupCallView extends CallParts {
  readonly kind: "group";
  readonly groupId: number;
  readonly stage: GroupCallStatus;
  /** Who has started it; null if this client does not know. */
  readonly hostId: number | null;
  /** Everybody else, in the order in which they came. */
  readonly people: readonly GroupCallPersonView[];
}

/** Where the call of a group stands. Spec §4: INIT, READY, WAITING, CHATING. */
export type GroupCallStatus =
  /** My devices are being opened; nothing is sent yet. */
  | "opening"
  /** I have started it, and nobody has accepted. */
  | "calling"
  /** It rings here. */
  | "ringing"
  /** I am in it, and connected with those who are. */
  | "talking";

/** Somebody else in the call of a group. */
export interface GroupCallPersonView extends RemoteMedia {
  readonly userId: number;
  /** As the server says; the group may know a better name. */
  readonly nickName: string;
  readonly headImage: string | null;
  /** False: it still rings there. */
  readonly isIn: boolean;
}

/** What arrives from somebody. */
export interface RemoteMedia {
  readonly connection: "none" | "connecting" | "connected" | "reconnecting" | "failed";
  /** What they say of their devices. A picture counts by this, not by what the connection delivers. */
  readonly isCamera: boolean;
  readonly isMicroPhone: boolean;
  readonly isShareScreen: boolean;
  readonly isSpeaking: boolean;
  /** How good the connection is; null while nothing is known. */
  readonly quality: "good" | "fair" | "poor" | null;
}

/** Somebody from whom nothing has arrived yet. */
export const NO_MEDIA: RemoteMedia = {
  connection: "none",
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
  isSpeaking: false,
  quality: null,
};

/** The devices of this page in a call. */
export interface LocalDevices {
  readonly microphone: DeviceState;
  readonly camera: DeviceState;
  readonly screen: "off" | "opening" | "on";
  /** Also while the microphone is muted, so that a screen can point it out. */
  readonly isSpeaking: boolean;
  /** Changes with each new local picture, so that a screen asks for the stream again. */
  readonly pictureVersion: number;
}

/** Whether a device is in use; `failed` says why it cannot be. */
export type DeviceState =
  | { readonly kind: "off" | "opening" | "on" }
  | { readonly kind: "failed"; readonly problem: DeviceProblem };

/** `denied`: by the person, the browser or the system; `missing`: there is none; `inUse`: another program has it. */
export type DeviceProblem = "denied" | "missing" | "inUse" | "insecure" | "unknown";

/** No device in use. */
export const NO_DEVICES: LocalDevices = {
  microphone: { kind: "off" },
  camera: { kind: "off" },
  screen: "off",
  isSpeaking: false,
  pictureVersion: 0,
};

/** Why a call is over, for one sentence (spec §8). Nothing is said of a call that the person has ended. */
export type CallEnd =
  /** The other person has rejected it, cancelled it, or hung up. */
  | { readonly kind: "rejected" | "cancelledByOther" | "hungUp" }
  | { readonly kind: "youDidNotAnswer" | "answeredElsewhere" | "rejectedElsewhere" }
  /** I have cancelled my call; or the call of the group that rang is over. */
  | { readonly kind: "cancelled" }
  /** The other side, or the server, gave this reason; it may be a text of another program. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The server has refused a step. */
  | { readonly kind: "refused"; readonly failure: Failure }
  /** Nobody has answered in time. */
  | { readonly kind: "noAnswer" }
  /** No connection was made in time: the self-check may say why. */
  | { readonly kind: "notConnected" }
  /** The connection was lost for too long. */
  | { readonly kind: "lost" }
  /** It is over, and nothing more is known; `removed`: I am no longer a member of the group. */
  | { readonly kind: "ended" | "removed" }
  | { readonly kind: "microphone"; readonly problem: DeviceProblem }
  /** Calls are impossible here: no https, or a browser without WebRTC. */
  | { readonly kind: "notSupported"; readonly isInsecure: boolean };

/** Reasons that are sent to other clients, in words that the specification and the server prescribe. */
export const CALL_REASONS = {
  /** Spec §8. */
  notSupported: "device does not support calling",
  busy: "对方正忙",
  notConnected: "网络连接失败",
} as const;
