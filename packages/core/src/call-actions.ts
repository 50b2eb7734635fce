import type { CallMode } from "@parley/protocol/entities";
import type { MediaDevice, SoundProcessing, StreamData } from "./call-ports.ts";
import type { CallEnd } from "./model/calls/call.ts";

/** Calls (spec §4): `State.call` shows the one of this page. An action that makes no sense at its stage does nothing. */
export interface CallActions {
  /** Calls a friend. Refused if a call is running here. */
  start(userId: number, mode: CallMode): void;
  /** Calls members of a group; the camera is off at first. */
  startGroup(groupId: number, userIds: readonly number[]): void;
  /** Joins the running call of a group. */
  joinGroup(groupId: number): void;
  /** Calls more members into the call of the group. */
  invite(userIds: readonly number[]): void;
  /** Accepts the call that rings here, with the camera on or off. */
  accept(withCamera: boolean): void;
  /** Ends my part in the call: cancels, rejects, hangs up or quits, as its stage says. */
  end(): void;
  setMicrophone(isOn: boolean): void;
  setCamera(isOn: boolean): void;
  setScreen(isOn: boolean): void;
  /** What is plugged in, and what is chosen; a null choice is the default device. */
  devices(): Promise<CallDevices>;
  /** Uses this device from now on, in this call and the next ones; null: the default device. */
  chooseDevice(kind: MediaDevice["kind"], id: string | null): void;
  setProcessing(processing: SoundProcessing): void;
  /** My own camera or screen; null while it is off. `LocalDevices.pictureVersion` changes with it. */
  localStream(): StreamData | null;
  /** The stream from somebody in the call; null while none can arrive. */
  remoteStream(userId: number): StreamData | null;
}

/** The devices for calls. */
export interface CallDevices {
  readonly devices: readonly MediaDevice[];
  readonly chosen: Readonly<Record<MediaDevice["kind"], string | null>>;
  readonly processing: SoundProcessing;
}

/** A call that has ended, and why. */
export type EndedCall = { readonly end: CallEnd } & (
  | { readonly kind: "private"; readonly userId: number; readonly mode: CallMode; readonly isCaller: boolean }
  | { readonly kind: "group"; readonly groupId: number }
);
