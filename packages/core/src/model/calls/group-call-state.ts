import type { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import type { Failure } from "../state.ts";
import type { CallEnd, DeviceProblem } from "./call.ts";

/**
 * The state of the call of a group (spec §4), what happens to it, and what has to be done. `group-call.ts` decides. INIT and CLOSE of spec §4
 * are `closed`, READY is `calling`, WAITING is `ringing`, CHATING is `talking`.
 */

/** Where the connection with somebody stands. */
export type PersonConnection =
  /** They are not in the call, or I am not. */
  | "none"
  /** They are in the call; they offer the connection, because they were in it before me. */
  | "waiting"
  /** It is being made. */
  | "connecting"
  | "connected"
  /** It was lost a moment ago, and may come back by itself. */
  | "shaky"
  /** It was lost, and is being restored. */
  | "reconnecting"
  /** It could not be made or restored. There is no connection until they offer one, or the network changes. */
  | "failed";

/** Somebody else in the call. */
export interface GroupCallPerson {
  readonly userId: number;
  readonly nickName: string;
  readonly headImage: string | null;
  /** False: it still rings there. */
  readonly isIn: boolean;
  readonly isCamera: boolean;
  readonly isMicroPhone: boolean;
  readonly isShareScreen: boolean;
  readonly connection: PersonConnection;
  /** How often the connection was repaired in vain. */
  readonly repairs: number;
}

/** Which call it is, and who else is in it, in the order in which they came. */
interface Parts {
  readonly groupId: number;
  /** Who has started it, as far as this client knows. */
  readonly hostId: number | null;
  readonly people: readonly GroupCallPerson[];
}

/** Where a call stands. */
export type GroupCall =
  | { readonly stage: "closed" }
  /** My devices are being opened, to start a call with these people. */
  | (Parts & { readonly stage: "opening" })
  /** I have started it, and nobody has accepted. */
  | (Parts & { readonly stage: "calling"; readonly isConfirmed: boolean; readonly list: PeopleList })
  | (Parts & { readonly stage: "ringing" })
  /** I am in it. */
  | (Parts & {
      readonly stage: "talking";
      /** The server has said that I am in it. Before that, nobody can be offered a connection. */
      readonly isConfirmed: boolean;
      /** People who joined before the server has confirmed that I am in, perhaps after me: then they wait for my offer. */
      readonly awaitingOffer: readonly number[];
      readonly list: PeopleList;
      /** It has rung for me while the server is asked to let me join. */
      readonly isCalled: boolean;
    });

/** Whether the server has to be asked who is in the call. `isAgain`: I knew it, but signals that said otherwise may be lost. */
export type PeopleList =
  | { readonly kind: "known" }
  | { readonly kind: "missing"; readonly isAgain: boolean }
  /**
   * It is asked. What signals have said since then about these people is newer than its answer. `isOutdated`: other signals may have been lost
   * since, so that it has to be asked again.
   */
  | {
      readonly kind: "asked";
      readonly isAgain: boolean;
      readonly changed: readonly number[];
      readonly isOutdated: boolean;
    };

export type OpenGroupCall = Exclude<GroupCall, { stage: "closed" }>;
export type TalkingGroupCall = Extract<GroupCall, { stage: "talking" }>;
/** A call in which I am, or in which I wait for others. */
export type OwnGroupCall = Extract<GroupCall, { stage: "calling" | "talking" }>;

/** Who is in a call, as the server says. */
export interface GroupCallList {
  readonly isChating: boolean;
  readonly hostId: number | null;
  readonly people: readonly ListedPerson[];
}

/** Somebody as the server describes them. */
export interface ListedPerson {
  readonly id: number;
  readonly nickName: string;
  readonly headImage: string | null;
  readonly isIn: boolean;
  readonly isCamera: boolean;
  readonly isMicroPhone: boolean;
  /** Undefined: an older server does not say it. */
  readonly isShareScreen?: boolean | undefined;
}

/** What happened. */
export type GroupCallInput =
  | {
      readonly kind: "start";
      readonly groupId: number;
      readonly userIds: readonly number[];
      readonly support: "ok" | "insecure" | "unsupported";
    }
  | {
      readonly kind: "join";
      readonly groupId: number;
      readonly support: "ok" | "insecure" | "unsupported";
    }
  | { readonly kind: "accept"; readonly withCamera: boolean }
  | { readonly kind: "invite"; readonly userIds: readonly number[] }
  /** The person ends their part in the call, at whatever stage. */
  | { readonly kind: "end" }
  /** The page is closed, or the session ends. */
  | { readonly kind: "leave" }
  /** The microphone is open, or why not. */
  | { readonly kind: "devicesOpened"; readonly problem: DeviceProblem | null }
  /** An answer may come after the call that it is about, so it names the group. */
  | { readonly kind: "setupDone" | "acceptDone" | "joinDone"; readonly groupId: number }
  | {
      readonly kind: "setupRefused" | "acceptRefused" | "joinRefused";
      readonly groupId: number;
      readonly failure: Failure;
      /** The server may have done it all the same. */
      readonly isUnanswered: boolean;
    }
  | { readonly kind: "listRead"; readonly groupId: number; readonly list: GroupCallList }
  | { readonly kind: "listFailed"; readonly groupId: number }
  /** The server says that I am not in the call. */
  | { readonly kind: "ended"; readonly groupId: number }
  | {
      readonly kind: "signal";
      readonly signal: ReceivedGroupCall;
      /** This device can take a call. */
      readonly canCall: boolean;
    }
  | {
      readonly kind: "peer";
      readonly userId: number;
      readonly state: "connected" | "disconnected" | "failed";
    }
  | { readonly kind: "timer"; readonly timer: GroupCallTimer }
  /** The time for the connection with somebody is over. */
  | { readonly kind: "repairDue"; readonly userId: number }
  /** The network came back or changed. */
  | { readonly kind: "networkChanged" }
  /** The socket is logged in again. */
  | { readonly kind: "online" };

/** Timers of the whole call. */
export type GroupCallTimer = "ring" | "heartbeat";

/** What the caller has to do. */
export type GroupCallEffect =
  | { readonly kind: "openDevices"; readonly withCamera: boolean }
  /** Another call has come first: what was opened for mine goes. */
  | { readonly kind: "closeDevices" }
  | { readonly kind: "ring"; readonly which: "incoming" | "outgoing" }
  | { readonly kind: "stopRing" }
  | { readonly kind: "setup"; readonly groupId: number; readonly userIds: readonly number[] }
  | { readonly kind: "invite"; readonly groupId: number; readonly userIds: readonly number[] }
  | { readonly kind: "accept" | "join"; readonly groupId: number }
  | { readonly kind: "heartbeat" | "readList"; readonly groupId: number }
  /** Tells the server that I am out of a call, which may be another one. Needs no answer. */
  | { readonly kind: "tell"; readonly what: "cancel" | "reject" | "quit"; readonly groupId: number }
  | { readonly kind: "tell"; readonly what: "failed"; readonly groupId: number; readonly reason: string }
  /** Creates the connection with somebody. Only `offer` offers it. */
  | { readonly kind: "createPeer" | "closePeer"; readonly userId: number }
  /** `repair`: the connection is not made yet. */
  | { readonly kind: "offer" | "restart" | "repair"; readonly userId: number }
  | { readonly kind: "toPeer"; readonly userId: number; readonly signal: PeerSignal }
  | { readonly kind: "reconnectSocket" }
  | { readonly kind: "setTimer"; readonly timer: GroupCallTimer; readonly ms: number }
  | { readonly kind: "clearTimer"; readonly timer: GroupCallTimer }
  | { readonly kind: "setRepair"; readonly userId: number; readonly ms: number }
  | { readonly kind: "clearRepair"; readonly userId: number }
  | {
      readonly kind: "personLeft";
      readonly groupId: number;
      readonly people: readonly Pick<GroupCallPerson, "userId" | "nickName">[];
      readonly why: "quit" | "rejected" | "failed";
      readonly reason: string;
    }
  /** The call is over: devices, connections, sounds and timers go. `end` null: nothing has to be said. */
  | { readonly kind: "close"; readonly groupId: number; readonly end: CallEnd | null };

/** Signals that the connection with their sender handles. */
export type PeerSignal = Extract<
  ReceivedGroupCall,
  {
    type:
      | typeof MessageType.RTC_GROUP_OFFER
      | typeof MessageType.RTC_GROUP_ANSWER
      | typeof MessageType.RTC_GROUP_CANDIDATE;
  }
>;

/** The next state and what to do. */
export type GroupCallStep = readonly [GroupCall, readonly GroupCallEffect[]];

/** There is no call. */
export const NO_GROUP_CALL: GroupCall = { stage: "closed" };

/** The call is over. `before` is done while it is still known. */
export function closeGroupCall(
  groupId: number,
  end: CallEnd | null,
  ...before: GroupCallEffect[]
): GroupCallStep {
  return [NO_GROUP_CALL, [...before, { kind: "close", groupId, end }]];
}
