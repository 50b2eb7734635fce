import type { DeviceProblem } from "./model/calls/call.ts";
import type { PictureLimit } from "./model/calls/encoder-limits.ts";

export type { PictureLimit };

/** What calls use of the browser. Only the code of calls, which is loaded when it is needed, knows these ports. */
export interface CallPorts {
  readonly media: MediaPort;
  readonly peers: PeerPort;
  readonly ringtones: Ringtones;
  /** Milliseconds since the page was opened. Never goes back, whatever clock is set. */
  uptime(): number;
}

/** Sound or picture to show or play; in browsers a `MediaStream`. */
export type StreamData = object;

/** A microphone, a camera or a screen that is open. */
export interface MediaTrack {
  readonly kind: "audio" | "video";
  /** The device, as `MediaPort.devices` lists it; empty for a screen. */
  readonly deviceId: string;
  /** The track alone, to show it here. */
  readonly stream: StreamData;
  /** Delivers at most this many pictures a second from now on. */
  limitRate(framesPerSecond: number): void;
  /** False: it delivers silence or black, without being closed. */
  setEnabled(isEnabled: boolean): void;
  /** Closes the device. */
  stop(): void;
  /** Calls the listener if the device is gone: unplugged, taken away, or sharing was ended in the browser. Not after `stop`. */
  onEnded(listener: () => void): void;
  /** Loudness from 0 to 1 of what the microphone hears, also while it is muted; 0 for pictures. */
  level(): number;
}

/** A device that exists. Names are empty until the person has allowed one. */
export interface MediaDevice {
  readonly kind: "microphone" | "camera" | "speaker";
  readonly id: string;
  readonly label: string;
}

/** A track, or why there is none. `cancelled`: the person chose no screen. */
export type OpenedTrack =
  | { readonly ok: true; readonly track: MediaTrack }
  | { readonly ok: false; readonly problem: DeviceProblem | "cancelled" };

/** How sound is processed before it is sent. */
export interface SoundProcessing {
  readonly noiseSuppression: boolean;
  readonly echoCancellation: boolean;
}

/** Opens devices. Nothing rejects. */
export interface MediaPort {
  /** Whether calls can work here: a page that is not secure has no devices. */
  support(): "ok" | "insecure" | "unsupported";
  /** Opens the device with this id, or the default one if it is null or no longer exists. */
  openMicrophone(deviceId: string | null, processing: SoundProcessing): Promise<OpenedTrack>;
  openCamera(deviceId: string | null): Promise<OpenedTrack>;
  /** Lets the person choose a screen, a window or a tab. */
  openScreen(): Promise<OpenedTrack>;
  devices(): Promise<readonly MediaDevice[]>;
}

/** A session description, as browsers exchange it. */
export interface Description {
  readonly type: "offer" | "answer";
  readonly sdp: string;
}

/** A server for connections that do not work directly. */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username: string | null;
  readonly credential: string | null;
}

/** What a connection reports. */
export interface PeerHandlers {
  /** A candidate to send to the other side: JSON of the browser's object. */
  candidate(candidate: Record<string, unknown>): void;
  stateChanged(state: PeerState): void;
}

export type PeerState = "new" | "connecting" | "connected" | "disconnected" | "failed";

/** What a connection has measured since the last time it was asked. */
export interface PeerStats {
  /** From 0 to 1; null while nothing arrived. */
  readonly lossRate: number | null;
  readonly roundTripMs: number | null;
  readonly framesPerSecond: number | null;
  /** How long the picture stood still, in ms. */
  readonly freezeMs: number;
  /** The encoder is limited by the processor or the network. */
  readonly isLimited: boolean;
}

/** A connection with another browser, with one sound and one picture in each direction. */
export interface PeerConnectionPort {
  /** What arrives: one stream, the same for the whole life of the connection. */
  readonly stream: StreamData;
  state(): PeerState;
  /** Which servers help to find a way. Has to be said before the first description. */
  setServers(iceServers: readonly IceServer[]): void;
  /** Whether an offer of this side has no answer yet. */
  hasPendingOffer(): boolean;
  /** That offer, with the candidates found so far; null: there is none. */
  pendingOffer(): Description | null;
  /** Makes an offer, which counts as sent from now on. `restart`: with new candidates, for a connection that was lost. */
  offer(options: { restart: boolean }): Promise<Description>;
  /** Takes the description of the other side. An own pending offer is dropped for an offer. Returns the answer to an offer, else null. */
  takeDescription(description: Description): Promise<Description | null>;
  /** False: it belongs to no description that was taken. */
  addCandidate(candidate: Record<string, unknown>): Promise<boolean>;
  /** Sends this track from now on, or nothing. Needs no new offer. */
  send(kind: "audio" | "video", track: MediaTrack | null): Promise<void>;
  limitVideo(limit: PictureLimit | null): Promise<void>;
  /** Sends the next picture whole: the other side may have missed some, and those that follow say only what changes. */
  sendWholePicture(): Promise<void>;
  stats(): Promise<PeerStats>;
  /** Loudness of the sound that arrives, from 0 to 1; null: none arrives, not even silence. */
  level(): number | null;
  close(): void;
}

/** Makes connections. */
export interface PeerPort {
  create(handlers: PeerHandlers): PeerConnectionPort;
}

/** Sounds that repeat until they are stopped. */
export interface Ringtones {
  /** `incoming`: it rings here; `outgoing`: it rings at the other side. Returns a function that stops it. */
  start(which: "incoming" | "outgoing"): () => void;
}
