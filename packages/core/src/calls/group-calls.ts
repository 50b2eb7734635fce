import { MessageType } from "@parley/protocol/codes";
import {
  acceptGroupCall,
  beatGroupCall,
  cancelGroupCall,
  failGroupCall,
  findGroupCall,
  inviteToGroupCall,
  joinGroupCall,
  quitGroupCall,
  rejectGroupCall,
  sendGroupAnswer,
  sendGroupCandidate,
  sendGroupOffer,
  setGroupCallDevice,
  setupGroupCall,
} from "@parley/protocol/endpoints/group-calls";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import type { Description, StreamData } from "../call-ports.ts";
import { isUnanswered, SILENT } from "../connection/api.ts";
import { createKeyedTimers } from "../connection/keyed-timers.ts";
import type { CallEnd, GroupCallPersonView, GroupCallView } from "../model/calls/call.ts";
import { encoderLimits } from "../model/calls/encoder-limits.ts";
import {
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  type GroupCallPerson,
  NO_GROUP_CALL,
  type PeerSignal,
  type PersonConnection,
} from "../model/calls/group-call-state.ts";
import { stepGroupCall } from "../model/calls/group-call.ts";
import type { Failure, Result } from "../model/state.ts";
import type { CallContext } from "./call-service.ts";
import { createDeviceReports, type DeviceReports } from "./device-reports.ts";
import type { LocalMedia } from "./local-media.ts";
import { SHORT_TIMEOUT, repeatUnanswered } from "./repeat-unanswered.ts";
import { createPeer, type Peer, type PeerView } from "./peer.ts";

/** The call of a group, as `model/calls/group-call.ts` decides. */
export interface GroupCalls {
  /** Whether there is a call, so that another one has to wait. */
  isBusy(): boolean;
  start(groupId: number, userIds: readonly number[]): void;
  join(groupId: number): void;
  invite(userIds: readonly number[]): void;
  accept(withCamera: boolean): void;
  end(): void;
  /** The page is closed, or the session ends. */
  leave(): void;
  receive(signal: ReceivedGroupCall, canCall: boolean): void;
  networkChanged(): void;
  /** The socket is logged in again. */
  wentOnline(): void;
  media(): LocalMedia | null;
  remoteStream(userId: number): StreamData | null;
  view(): GroupCallView | null;
}

/** The connection with one of the others. */
interface OpenPeer {
  readonly peer: Peer;
  state: PeerView["state"];
}

/** What the runtime of a call has open. */
interface Resources {
  media: LocalMedia;
  readonly peers: Map<number, OpenPeer>;
  readonly reports: DeviceReports;
  stopRing: (() => void) | null;
  connectedAt: number | null;
}

/** Creates the runtime; there is no call. */
export function createGroupCalls(context: CallContext): GroupCalls {
  const { me, api, clock, log, callPorts } = context;
  const timers = createKeyedTimers<string>(clock);
  let call: GroupCall = NO_GROUP_CALL;
  let open: Resources | null = null;

  function dispatch(input: GroupCallInput): void {
    const [next, effects] = stepGroupCall(call, input, me);
    call = next;
    if (next.stage !== "closed") open ??= openResources();
    effects.forEach(perform);
    limitPictures();
    open?.reports.update();
    context.publish();
  }

  function openResources(): Resources {
    const resources: Resources = {
      media: context.createMedia(mediaChanged),
      peers: new Map(),
      reports: createDeviceReports({
        // The server assumes that the microphone of somebody who comes is on, and the camera off.
        known: { isCamera: false, isMicroPhone: true, isShareScreen: false },
        media: () => resources.media,
        canSend: () => open === resources && canReport(call),
        send: (report) =>
          api.call(setGroupCallDevice, { body: { groupId: groupId(), ...report } }, SHORT_TIMEOUT),
        onFailure: (failure) => open === resources && askedInVain(failure),
      }),
      stopRing: null,
      connectedAt: null,
    };
    return resources;
  }

  /** Only while there is a call. */
  const groupId = (): number => (call.stage === "closed" ? 0 : call.groupId);

  function perform(effect: GroupCallEffect): void {
    switch (effect.kind) {
      case "openDevices":
        return openDevices(effect.withCamera);
      case "closeDevices":
        return closeDevices();
      case "ring":
        if (open !== null) open.stopRing = callPorts.ringtones.start(effect.which);
        return;
      case "stopRing":
        return stopRing();
      case "setup":
      case "accept":
      case "join":
        return enter(effect);
      case "invite":
        return invite(effect.groupId, effect.userIds);
      case "heartbeat":
        return beat(effect.groupId);
      case "readList":
        return readList(effect.groupId);
      case "tell":
        return tell(effect);
      case "createPeer":
        return connect(effect.userId);
      case "closePeer":
        return closePeer(effect.userId);
      case "offer":
        return peerOf(effect.userId)?.connect();
      case "restart":
        return peerOf(effect.userId)?.restart();
      case "repair":
        return peerOf(effect.userId)?.repair();
      case "toPeer":
        return toPeer(effect.userId, effect.signal);
      case "reconnectSocket":
        return context.reconnectNow();
      case "setTimer": {
        const { timer } = effect;
        return timers.set(timer, effect.ms, () => dispatch({ kind: "timer", timer }));
      }
      case "clearTimer":
        return timers.cancel(effect.timer);
      case "setRepair": {
        const { userId } = effect;
        return timers.set(repairOf(userId), effect.ms, () => dispatch({ kind: "repairDue", userId }));
      }
      case "clearRepair":
        return timers.cancel(repairOf(effect.userId));
      case "personLeft": {
        const { kind: _, ...notice } = effect;
        return context.notify({ kind: "callPersonLeft", ...notice });
      }
      case "close":
        return close(effect.groupId, effect.end);
      default:
        effect satisfies never;
    }
  }

  function openDevices(withCamera: boolean): void {
    const media = open?.media;
    void media?.open(withCamera).then((problem) => {
      if (open?.media === media) dispatch({ kind: "devicesOpened", problem });
    });
  }

  function closeDevices(): void {
    if (open === null) return;
    open.media.close();
    open.media = context.createMedia(mediaChanged);
  }

  function stopRing(): void {
    open?.stopRing?.();
    if (open !== null) open.stopRing = null;
  }

  /** Starts, accepts or joins. Even if the call is over here, the answer counts: what the server has done then has to be undone. */
  function enter(effect: Extract<GroupCallEffect, { kind: "setup" | "accept" | "join" }>): void {
    const { kind, groupId: group } = effect;
    const current = open;
    const request = () => requestEntry(effect);
    void repeatUnanswered(clock, request, () => open === current).then((result) => {
      if (result.ok) return dispatch({ kind: `${kind}Done`, groupId: group });
      const { failure } = result;
      dispatch({ kind: `${kind}Refused`, groupId: group, failure, isUnanswered: isUnanswered(failure) });
    });
  }

  function requestEntry(
    effect: Extract<GroupCallEffect, { kind: "setup" | "accept" | "join" }>,
  ): Promise<Result<null>> {
    const query = { groupId: effect.groupId };
    switch (effect.kind) {
      case "setup":
        return api.call(
          setupGroupCall,
          { body: { ...query, userInfos: infosOf(effect.userIds) } },
          SHORT_TIMEOUT,
        );
      case "accept":
        return api.call(acceptGroupCall, { query }, SHORT_TIMEOUT);
      case "join":
        return api.call(joinGroupCall, { query }, SHORT_TIMEOUT);
      default:
        return effect satisfies never;
    }
  }

  function invite(group: number, userIds: readonly number[]): void {
    void api.call(inviteToGroupCall, { body: { groupId: group, userInfos: infosOf(userIds) } });
  }

  function beat(group: number): void {
    void api.call(beatGroupCall, { query: { groupId: group } }, SHORT_TIMEOUT);
    open?.reports.retry();
  }

  function readList(group: number): void {
    void api.call(findGroupCall, { query: { groupId: group } }, SHORT_TIMEOUT).then((result) => {
      if (!result.ok) return dispatch({ kind: "listFailed", groupId: group });
      const { isChating, host, userInfos } = result.value;
      const list = { isChating, hostId: host?.id ?? null, people: userInfos };
      dispatch({ kind: "listRead", groupId: group, list });
    });
  }

  /** Does not wait for the server's answer. If there is none, the end is reported again later (`StaleCalls`). */
  function tell(effect: Extract<GroupCallEffect, { kind: "tell" }>): void {
    const options = { ...SILENT, outlivesPage: true };
    const query = { groupId: effect.groupId };
    if (effect.what === "failed") {
      void api.call(failGroupCall, { body: { ...query, reason: effect.reason } }, options);
      return;
    }
    const endpoint = { cancel: cancelGroupCall, reject: rejectGroupCall, quit: quitGroupCall }[effect.what];
    context.staleCalls.trackEnd(api.call(endpoint, { query }, options), query);
  }

  const peerOf = (userId: number): Peer | undefined => open?.peers.get(userId)?.peer;

  function connect(userId: number): void {
    if (open === null) return;
    const { peers, media } = open;
    const to = { groupId: groupId(), userId };
    const isOpen = () => peerOf(userId) === peer;
    let sending: Promise<void> = Promise.resolve();
    const peer = createPeer({
      peers: callPorts.peers,
      clock,
      log,
      iceServers: context.iceServers,
      media,
      isPolite: me > userId,
      sendDescription(description, isWanted) {
        // Send descriptions one after the other: one that arrives before another is taken for the answer to a different offer.
        sending = sending.then(() =>
          send(
            () => sendDescription(to, description),
            () => isOpen() && isWanted(),
          ),
        );
      },
      sendCandidate: (candidate) =>
        void send(() => api.call(sendGroupCandidate, { body: { ...to, candidate } }, SHORT_TIMEOUT), isOpen),
      onChange: (view) => peers.get(userId)?.peer === peer && peerChanged(userId, view),
    });
    peers.set(userId, { peer, state: "new" });
  }

  function sendDescription(
    to: { groupId: number; userId: number },
    { type, sdp }: Description,
  ): Promise<Result<null>> {
    const description = { type, sdp };
    return type === "offer"
      ? api.call(sendGroupOffer, { body: { ...to, offer: description } }, SHORT_TIMEOUT)
      : api.call(sendGroupAnswer, { body: { ...to, answer: description } }, SHORT_TIMEOUT);
  }

  /** Sends a signal. A signal that is lost is repaired later. */
  async function send(request: () => Promise<Result<null>>, isWanted: () => boolean): Promise<void> {
    if (!isWanted()) return;
    const result = await repeatUnanswered(clock, request, isWanted);
    if (!result.ok) log.debug("a step of a group's call was not done", { failure: result.failure.kind });
  }

  function closePeer(userId: number): void {
    peerOf(userId)?.close();
    open?.peers.delete(userId);
  }

  function toPeer(userId: number, signal: PeerSignal): void {
    const peer = peerOf(userId);
    switch (signal.type) {
      case MessageType.RTC_GROUP_OFFER:
        return peer?.takeDescription("offer", signal.content);
      case MessageType.RTC_GROUP_ANSWER:
        return peer?.takeDescription("answer", signal.content);
      case MessageType.RTC_GROUP_CANDIDATE:
        return peer?.takeCandidate(signal.content);
      default:
        signal.type satisfies never;
    }
  }

  function peerChanged(userId: number, { state }: PeerView): void {
    const peer = open?.peers.get(userId);
    if (open === null || peer === undefined || peer.state === state) return context.publish();
    peer.state = state;
    if (state === "connected") open.connectedAt ??= callPorts.uptime();
    if (state === "connected" || state === "disconnected" || state === "failed") {
      dispatch({ kind: "peer", userId, state });
    } else context.publish();
  }

  /** The more people are in the call, the smaller is the picture that each of them gets. */
  function limitPictures(): void {
    if (open === null || call.stage !== "talking") return;
    const people = call.people.filter(({ isIn }) => isIn).length + 1;
    const camera = encoderLimits(people);
    const limits = open.media.view().screen === "on" ? encoderLimits(people, true) : camera;
    for (const { peer } of open.peers.values()) peer.setLimits(limits);
    open.media.setCameraRate(camera[0].framesPerSecond);
  }

  function mediaChanged(): void {
    limitPictures();
    open?.reports.update();
    context.publish();
  }

  /** The server may know that I am not in the call. */
  function askedInVain(failure: Failure): void {
    log.debug("the devices could not be reported to the others", { failure: failure.kind });
    if (failure.kind === "refused" && failure.key === "call.notIn") {
      dispatch({ kind: "ended", groupId: groupId() });
    }
  }

  function close(group: number, end: CallEnd | null): void {
    timers.cancelAll();
    stopRing();
    const closing = open;
    open = null;
    for (const { peer } of closing?.peers.values() ?? []) peer.close();
    closing?.media.close();
    if (end !== null) context.notify({ kind: "callEnded", call: { kind: "group", groupId: group, end } });
  }

  function view(): GroupCallView | null {
    if (call.stage === "closed" || open === null) return null;
    const { peers, media, connectedAt } = open;
    return {
      kind: "group",
      groupId: call.groupId,
      stage: call.stage,
      hostId: call.hostId,
      people: call.people.map((person) => viewPerson(person, peers.get(person.userId)?.peer.view())),
      local: media.view(),
      seconds: connectedAt === null ? null : Math.floor((callPorts.uptime() - connectedAt) / 1_000),
      isSocketLost: context.isSocketLost(),
    };
  }

  const support = () => callPorts.media.support();

  return {
    isBusy: () => call.stage !== "closed",
    start: (group, userIds) => dispatch({ kind: "start", groupId: group, userIds, support: support() }),
    join: (group) => dispatch({ kind: "join", groupId: group, support: support() }),
    invite: (userIds) => dispatch({ kind: "invite", userIds }),
    accept: (withCamera) => dispatch({ kind: "accept", withCamera }),
    end: () => dispatch({ kind: "end" }),
    leave: () => dispatch({ kind: "leave" }),
    receive: (signal, canCall) => dispatch({ kind: "signal", signal, canCall }),
    networkChanged: () => dispatch({ kind: "networkChanged" }),
    wentOnline() {
      dispatch({ kind: "online" });
      open?.reports.retry();
    },
    media: () => open?.media ?? null,
    remoteStream: (userId) => peerOf(userId)?.stream ?? null,
    view,
  };
}

const repairOf = (userId: number) => `repair ${userId}`;

const infosOf = (userIds: readonly number[]) => userIds.map((id) => ({ id }));

/** Whether the state of my devices can be reported to the others. */
function canReport(call: GroupCall): boolean {
  return (call.stage === "calling" || call.stage === "talking") && call.isConfirmed;
}

function viewPerson(person: GroupCallPerson, peer: PeerView | undefined): GroupCallPersonView {
  const { userId, nickName, headImage, isIn, isCamera, isMicroPhone, isShareScreen, connection } = person;
  return {
    userId,
    nickName,
    headImage,
    isIn,
    isCamera,
    isMicroPhone,
    isShareScreen,
    connection: shownConnection(connection),
    isSpeaking: peer?.isSpeaking ?? false,
    quality: peer?.quality ?? null,
  };
}

function shownConnection(connection: PersonConnection): GroupCallPersonView["connection"] {
  switch (connection) {
    case "waiting":
      return "connecting";
    case "shaky":
      return "connected";
    default:
      return connection;
  }
}
