import { MessageType } from "@parley/protocol/codes";
import type { ReceivedGroupCall } from "@parley/protocol/received-call";
import { describe, expect, test } from "vitest";
import { createPrng, type Prng } from "../../testing/prng.ts";
import { stepGroupCall } from "./group-call.ts";
import {
  type GroupCall,
  type GroupCallEffect,
  type GroupCallInput,
  NO_GROUP_CALL,
} from "./group-call-state.ts";

/**
 * Four people start, accept, join, leave and invite at random, while requests, answers and signals are on their way for as long as it
 * pleases chance. When everything has arrived, those who are in the call must be connected with each other, though no repair was due.
 */

const GROUP = 7;
const IDS = [1, 2, 3, 4] as const;
const SEEDS = 400;
const ACTIONS = 14;

/** A connection with another client, reduced to who has taken whose offer. */
interface FakePeer {
  /** The own offer that has no answer yet. */
  pending: number | null;
  /** The offer on which both sides agree, as far as this side knows. */
  agreed: number | null;
}

interface Client {
  readonly id: number;
  call: GroupCall;
  readonly peers: Map<number, FakePeer>;
  /** Requests on their way, in order, without those about connections. */
  readonly outbox: (() => void)[];
  /** Signals on their way, in order. */
  readonly inbox: (() => void)[];
  /** False: its node has died, and signals are lost. */
  hasSocket: boolean;
}

/** Clients, a server after docs/protocol.md section 10, and what is on its way between them. */
function createNetwork(prng: Prng) {
  const clients = IDS.map((id): Client => ({
    id,
    call: NO_GROUP_CALL,
    peers: new Map(),
    outbox: [],
    inbox: [],
    hasSocket: true,
  }));
  const clientOf = (id: number) => {
    const found = clients.find((client) => client.id === id);
    if (found === undefined) throw new Error(`there is no client ${id}`);
    return found;
  };
  /** Who is in the call (true), or called (false); null: there is none. */
  let members: Map<number, boolean> | null = null;
  let hostId = 0;
  let offers = 0;
  /** Answers, which may overtake everything else. */
  const traffic: (() => void)[] = [];

  const later = (run: () => void) => void traffic.push(run);

  function dispatch(client: Client, input: GroupCallInput): void {
    const [next, effects] = stepGroupCall(client.call, input, client.id);
    client.call = next;
    for (const effect of effects) perform(client, effect);
  }

  function perform(client: Client, effect: GroupCallEffect): void {
    switch (effect.kind) {
      case "openDevices":
        return later(() => dispatch(client, { kind: "devicesOpened", problem: null }));
      case "setup":
      case "accept":
      case "join":
        return void client.outbox.push(() => {
          const isDone = enter(client.id, effect);
          later(() => dispatch(client, answerTo(effect.kind, isDone)));
        });
      case "invite":
        return void client.outbox.push(() => invite(client.id, effect.userIds));
      case "readList":
        return void client.outbox.push(() => {
          const list = { isChating: members !== null, hostId, people: listOf([...(members?.keys() ?? [])]) };
          later(() => dispatch(client, { kind: "listRead", groupId: GROUP, list }));
        });
      case "heartbeat":
        return void client.outbox.push(() => {
          if (members?.has(client.id) !== true) push([client.id], client.id, MessageType.RTC_GROUP_CANCEL);
        });
      case "tell":
        return void client.outbox.push(() =>
          effect.what === "cancel" ? cancel(client.id) : leave(client.id),
        );
      case "createPeer":
        return void client.peers.set(effect.userId, { pending: null, agreed: null });
      case "closePeer":
        return void client.peers.delete(effect.userId);
      case "offer":
        return offer(client, effect.userId);
      case "restart":
      case "repair":
        return restart(client, effect.userId);
      case "toPeer":
        return takePeerSignal(client, effect.userId, effect.signal.type, Number(effect.signal.content["id"]));
      case "close":
        return client.peers.clear();
      default:
    }
  }

  function answerTo(kind: "setup" | "accept" | "join", isDone: boolean): GroupCallInput {
    if (isDone) return { kind: `${kind}Done`, groupId: GROUP };
    const failure = { kind: "refused", code: 0, key: "call.ended", params: {}, message: "" } as const;
    return { kind: `${kind}Refused`, groupId: GROUP, failure, isUnanswered: false };
  }

  function offer(client: Client, to: number): void {
    const peer = client.peers.get(to);
    if (peer === undefined) return;
    peer.pending = ++offers;
    relay(client.id, to, MessageType.RTC_GROUP_OFFER, peer.pending);
  }

  /** The smaller id offers again, what it has offered before if that was not answered; the larger one asks it to. */
  function restart(client: Client, to: number): void {
    const peer = client.peers.get(to);
    if (peer === undefined) return;
    if (client.id > to) return relay(client.id, to, MessageType.RTC_GROUP_CANDIDATE, 0);
    peer.pending ??= ++offers;
    relay(client.id, to, MessageType.RTC_GROUP_OFFER, peer.pending);
  }

  /** Perfect negotiation: of two offers, that of the smaller id counts. */
  function takePeerSignal(client: Client, by: number, type: number, id: number): void {
    const peer = client.peers.get(by);
    if (peer === undefined) return;
    if (type === MessageType.RTC_GROUP_CANDIDATE) return restart(client, by);
    if (type === MessageType.RTC_GROUP_ANSWER) {
      if (peer.pending !== id) return;
      [peer.pending, peer.agreed] = [null, id];
    } else if (peer.pending === null || client.id > by) {
      [peer.pending, peer.agreed] = [null, id];
      relay(client.id, by, MessageType.RTC_GROUP_ANSWER, id);
    }
  }

  const listOf = (ids: readonly number[]) =>
    ids.map((id) => ({
      id,
      nickName: `N${id}`,
      headImage: null,
      isIn: members?.get(id) === true,
      isCamera: false,
      isMicroPhone: true,
    }));

  function push(to: readonly number[], sendId: number, type: number, content?: unknown): void {
    for (const id of to) {
      const signal = { type, sendId, groupId: GROUP, content } as ReceivedGroupCall;
      const client = clientOf(id);
      if (client.hasSocket)
        client.inbox.push(() => dispatch(client, { kind: "signal", signal, canCall: true }));
    }
  }

  const others = (id: number) => [...(members?.keys() ?? [])].filter((each) => each !== id);

  /** Descriptions of one person for another one stay in order, but other requests overtake them. */
  const descriptions = new Map<string, (() => void)[]>();

  function relay(from: number, to: number, type: number, id: number): void {
    const key = `${from} ${to}`;
    const queue = descriptions.get(key) ?? [];
    descriptions.set(key, queue);
    queue.push(() => {
      if (members?.get(from) === true && members.get(to) === true) push([to], from, type, { id });
    });
  }

  function enter(
    id: number,
    { kind, ...effect }: Extract<GroupCallEffect, { kind: "setup" | "accept" | "join" }>,
  ) {
    if (kind === "setup") {
      if (members !== null || !("userIds" in effect)) return false;
      members = new Map([[id, true], ...effect.userIds.map((each) => [each, false] as const)]);
      hostId = id;
      push(effect.userIds, id, MessageType.RTC_GROUP_SETUP, listOf([...members.keys()]));
      return true;
    }
    if (members === null || (kind === "accept" && !members.has(id))) return false;
    if (members.get(id) === true) return true;
    const isCalled = members.has(id);
    members.set(id, true);
    if (isCalled) push(others(id), id, MessageType.RTC_GROUP_ACCEPT);
    else push(others(id), id, MessageType.RTC_GROUP_JOIN, listOf([id])[0]);
    return true;
  }

  function invite(by: number, ids: readonly number[]): void {
    if (members?.get(by) !== true) return;
    const fresh = ids.filter((id) => members?.has(id) === false);
    if (fresh.length === 0) return;
    const known = [...members.keys()];
    for (const id of fresh) members.set(id, false);
    push(fresh, by, MessageType.RTC_GROUP_SETUP, listOf([...members.keys()]));
    push(known, by, MessageType.RTC_GROUP_INVITE, listOf(fresh));
  }

  function leave(id: number): void {
    const wasIn = members?.get(id);
    if (members === null || wasIn === undefined) return;
    members.delete(id);
    push(others(id), id, wasIn ? MessageType.RTC_GROUP_QUIT : MessageType.RTC_GROUP_REJECT);
    settle(id);
  }

  function settle(by: number): void {
    const inCall = [...(members?.values() ?? [])].filter(Boolean).length;
    if (inCall === 0 || (inCall === 1 && members?.size === 1)) end(by);
  }

  /** The node of the client's socket dies, with what it has not sent. */
  function cut(client: Client): void {
    client.hasSocket = false;
    client.inbox.length = 0;
  }

  /** The client logs in on another node, where it rings again if it did. */
  function connect(client: Client): void {
    if (client.hasSocket) return;
    client.hasSocket = true;
    dispatch(client, { kind: "online" });
    if (members?.get(client.id) === false)
      push([client.id], hostId, MessageType.RTC_GROUP_SETUP, listOf([...members.keys()]));
  }

  /** 10 s later: connections that were not made are repaired. */
  function repairDue(): void {
    for (const client of clients) {
      const { call, peers } = client;
      const people = call.stage === "talking" ? call.people : [];
      for (const { userId, isIn } of people)
        if (isIn && (peers.get(userId)?.agreed ?? null) === null)
          dispatch(client, { kind: "repairDue", userId });
    }
  }

  /** It has rung for 30 s. */
  function endRinging(): void {
    if (members === null) return;
    const userIds = [...members].flatMap(([id, isIn]) => (isIn ? [] : [id]));
    push([...members.keys()], hostId, MessageType.RTC_GROUP_FAILED, { userIds, reason: "" });
    for (const id of userIds) members.delete(id);
    settle(hostId);
  }

  function cancel(id: number): void {
    if (members !== null && hostId === id) end(id);
  }

  function end(by: number): void {
    push(others(by), by, MessageType.RTC_GROUP_CANCEL);
    members = null;
  }

  /** Lets one thing arrive; false: nothing is on its way. */
  function arrive(): boolean {
    const queues = [
      ...clients.flatMap(({ inbox, outbox }) => [inbox, outbox]),
      ...descriptions.values(),
    ].filter(({ length }) => length > 0);
    const count = traffic.length + queues.length;
    if (count === 0) return false;
    const index = prng.below(count);
    const [run] =
      index < traffic.length ? traffic.splice(index, 1) : [queues[index - traffic.length]?.shift()];
    run?.();
    return true;
  }

  return {
    clients,
    dispatch,
    arrive,
    cut,
    connect,
    endRinging,
    repairDue,
    members: () => members ?? new Map<number, boolean>(),
  };
}

/** What somebody does next. */
function randomAction(prng: Prng, { id, call }: Client): GroupCallInput {
  const everybody = IDS.filter((each) => each !== id);
  switch (call.stage) {
    case "closed":
      return prng.below(3) === 0
        ? { kind: "start", groupId: GROUP, userIds: everybody.slice(prng.below(3)), support: "ok" }
        : { kind: "join", groupId: GROUP, support: "ok" };
    case "ringing":
      return prng.below(4) === 0 ? { kind: "end" } : { kind: "accept", withCamera: false };
    default:
      return prng.below(3) === 0 ? { kind: "end" } : { kind: "invite", userIds: everybody };
  }
}

/** Plays one run; returns what is wrong in the end. `cutsSockets`: the nodes of sockets die at any time. */
function play(seed: number, cutsSockets = false): string[] {
  const prng = createPrng(seed);
  const network = createNetwork(prng);
  const { clients, dispatch, arrive } = network;
  const cutOrConnect = () => {
    const client = prng.pick(clients);
    if (client.hasSocket) network.cut(client);
    else network.connect(client);
  };
  const everythingArrives = () => {
    while (arrive());
    for (const client of clients) network.connect(client);
    while (arrive());
  };
  for (let action = 0; action < ACTIONS; action++) {
    const client = prng.pick(clients);
    const input = randomAction(prng, client);
    dispatch(client, input);
    for (let count = prng.below(8); count > 0; count--) {
      if (cutsSockets && prng.below(6) === 0) cutOrConnect();
      arrive();
    }
    // Signals do not say to which call of the group they belong; so nobody begins another one while those of the last are on their way.
    if (input.kind === "end") everythingArrives();
  }
  const rest = () => {
    everythingArrives();
    for (const client of clients) dispatch(client, { kind: "timer", timer: "heartbeat" });
    while (arrive());
  };
  rest();
  network.endRinging();
  rest();
  if (cutsSockets) network.repairDue();
  rest();
  const faults: string[] = [];
  const members = network.members();
  for (const client of clients) {
    const isIn = client.call.stage === "talking" || client.call.stage === "calling";
    if (isIn !== members.has(client.id)) faults.push(`${seed}: ${client.id} is ${client.call.stage}`);
    for (const other of clients) {
      const areIn = members.has(client.id) && members.has(other.id);
      const [mine, theirs] = [client.peers.get(other.id)?.agreed, other.peers.get(client.id)?.agreed];
      if (client.id < other.id && areIn && (mine === undefined || mine === null || mine !== theirs))
        faults.push(`${seed}: ${client.id} and ${other.id} are not connected`);
    }
  }
  return faults;
}

describe("people who come and go at the same time", () => {
  test(`GC66 ${SEEDS} random runs: everybody in the call is connected with everybody else, and nobody else thinks to be in it`, () => {
    const faults = Array.from({ length: SEEDS }, (_, seed) => play(seed)).flat();
    expect(faults.slice(0, 5)).toEqual([]);
  });

  test(`GC76 ${SEEDS} random runs in which the nodes of sockets die with what they have not sent: the same, after one repair at most`, () => {
    const faults = Array.from({ length: SEEDS }, (_, seed) => play(seed, true)).flat();
    expect(faults.slice(0, 5)).toEqual([]);
  });
});
