/** The very client of the product as somebody's device, over real HTTP and a real socket: what it believes is part of what is promised. */
import { Agent, request as httpRequest } from "node:http";
import { WebSocket } from "ws";
import type { Client, Notice } from "@parley/core/client-api";
import { createClient } from "@parley/core/client";
import type { Clock, Http, HttpResponse, Ports, Sockets } from "@parley/core/ports";
import type { SignedInClientOptions } from "@parley/core/session-scope";
import { createFakePorts } from "@parley/core/testing/fake-ports";
import { type MemoryStorage, createMemoryStorage } from "@parley/core/testing/memory-storage";
import { type Snapshot, snapshotOf } from "@parley/core/testing/snapshot";
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { TestPerson } from "../test-person.ts";
import { waitUntil } from "./wait-until.ts";

export interface ClientDevice {
  readonly person: TestPerson;
  readonly client: Client;
  readonly ports: Ports;
  readonly storage: MemoryStorage;
  readonly notices: readonly Notice[];
  /** What each of its sockets has brought, the oldest first. */
  readonly connections: readonly DeviceConnection[];
  /** Paths it has asked for, and the statuses of their answers; null: none came. */
  readonly requests: readonly { path: string; status: number | null }[];
  /** Its tab dies; what lies on its disk stays. */
  stop(): void;
}

export interface DeviceConnection {
  readonly frames: string[];
  isClosed: boolean;
  /** With which code; null: it is open, or its client has closed it. */
  code: number | null;
}

export interface ClientDeviceOptions {
  /** Unlike that of any other device, also of one that was there before. */
  name: string;
  /** Where its page comes from, when not from its person's server. */
  url?: string;
  /** What an earlier life has left. */
  storage?: MemoryStorage;
  /** So much faster its timers run, so that what it puts off comes soon. */
  timerSpeed?: number;
  /** In place of its own clock. */
  clock?: Clock;
  sizes?: SignedInClientOptions;
  /** When its access token ends by its own clock; left out: in half an hour. */
  accessEndsAt?: number;
  /** Stands between the sockets and the client. */
  wrapSockets?(sockets: Sockets): Sockets;
}

/** All that it has is in its windows, so that two devices compare whole. */
const ALL_IN_MEMORY: SignedInClientOptions = { closedWindow: 100_000 };
const DEFAULT_TIMER_SPEED = 50;
const HALF_AN_HOUR_MS = 1_800_000;

/** Signed in as after a reload: with the tokens its person has. Answers once it has begun to connect. */
export async function startDevice(person: TestPerson, options: ClientDeviceOptions): Promise<ClientDevice> {
  const { name, url = person.url, timerSpeed = DEFAULT_TIMER_SPEED } = options;
  const storage = options.storage?.tab(true) ?? createMemoryStorage();
  const clock = options.clock ?? fastClock(timerSpeed);
  saveSession(storage, person, url, options.accessEndsAt ?? clock.now() + HALF_AN_HOUR_MS);
  const connections: DeviceConnection[] = [];
  const requests: { path: string; status: number | null }[] = [];
  const sockets = realSockets(connections);
  const ports: Ports = {
    ...createFakePorts({ name, origin: url, storage }),
    clock,
    http: realHttp(requests),
    sockets: options.wrapSockets?.(sockets) ?? sockets,
  };
  const client = createClient(ports, { ...ALL_IN_MEMORY, ...options.sizes });
  const notices: Notice[] = [];
  client.onNotice((notice) => void notices.push(notice));
  const stop = () => {
    running.delete(stop);
    storage.shouldRefuse = true;
    client.close();
  };
  running.add(stop);
  await client.session.resume();
  return {
    person,
    client,
    ports,
    storage,
    notices,
    connections,
    requests,
    stop,
  };
}

const running = new Set<() => void>();

/** Those that a run which broke off has left. */
export function stopAllDevices(): void {
  for (const stop of running) stop();
  agent.destroy();
}

function fastClock(timerSpeed: number): Clock {
  return {
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms / timerSpeed);
      return () => clearTimeout(timer);
    },
    soon: (run) => void setImmediate(run),
  };
}

function saveSession(storage: MemoryStorage, person: TestPerson, url: string, accessEndsAt: number): void {
  storage.local.set("parley.device", person.device.deviceNo ?? `device of ${person.userName}`);
  storage.local.set(`parley.scheme:${url}`, "plain");
  if (storage.session.get("parley.session") !== null) return;
  const { accessToken, refreshToken } = person.tokens;
  const tokens = { lineage: person.userName, serial: 0, accessToken, accessEndsAt, refreshToken };
  const session = { userId: person.id, userName: person.userName, tokens };
  storage.session.set("parley.session", JSON.stringify(session));
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function realHttp(asked: { path: string; status: number | null }[]): Http {
  return {
    request: ({ method, url, headers, body, timeoutMs }) =>
      new Promise<HttpResponse>((resolve) => {
        const noted: { path: string; status: number | null } = { path: new URL(url).pathname, status: null };
        asked.push(noted);
        const text = typeof body === "string" ? body : undefined;
        const length = { "content-length": String(Buffer.byteLength(text ?? "")) };
        const failed = (reason: "offline" | "timeout") => resolve({ kind: "failed", reason });
        const call = httpRequest(url, { method, headers: { ...headers, ...length }, agent }, (answer) => {
          noted.status = answer.statusCode ?? 0;
          let received = "";
          answer.setEncoding("utf8");
          answer.on("data", (part: string) => (received += part));
          answer.on("error", () => failed("offline"));
          answer.on("end", () => {
            // A browser fails an answer that ends before its length.
            if (!answer.complete) failed("offline");
            else
              resolve({ kind: "answer", status: noted.status ?? 0, text: received, retryAfterSeconds: null });
          });
        });
        call.on("error", () => failed("offline"));
        call.setTimeout(timeoutMs, () => {
          failed("timeout");
          call.destroy();
        });
        call.end(text);
      }),
  };
}

function realSockets(wires: DeviceConnection[]): Sockets {
  return {
    open(url, handlers) {
      const deviceConnection: DeviceConnection = { frames: [], isClosed: false, code: null };
      wires.push(deviceConnection);
      const ws = new WebSocket(url);
      ws.on("open", handlers.opened);
      ws.on("message", (data: Buffer) => {
        const text = data.toString("utf8");
        deviceConnection.frames.push(text);
        handlers.received(text);
      });
      ws.on("close", (code) => {
        deviceConnection.isClosed = true;
        deviceConnection.code = code;
        handlers.closed(code);
      });
      ws.on("error", () => undefined);
      return {
        send: (text) => {
          if (ws.readyState === WebSocket.OPEN) ws.send(text);
        },
        close(code) {
          deviceConnection.isClosed = true;
          ws.removeAllListeners();
          ws.on("error", () => undefined);
          if (ws.readyState === WebSocket.CONNECTING) ws.terminate();
          else ws.close(code);
        },
      };
    },
  };
}

/** Connected, and everything that was missed has come. */
export async function waitUntilIdle(device: ClientDevice): Promise<void> {
  await waitUntil(`${device.person.userName} has caught up`, () => {
    const { connection, chats, contacts, groups } = device.client.getState();
    if (connection.kind !== "online" || !contacts.isLoaded || !groups.isLoaded) return connection.kind;
    if (Object.values(chats.loading).some((isOn) => isOn)) return "loading";
    const deviceConnection = device.connections.at(-1);
    // The pulls are asked for in the turn of the login; whether they have ended on this socket tells the socket alone.
    return deviceConnection !== undefined && loadingEndsOf(deviceConnection) >= PULLS ? undefined : "pulling";
  });
}

/** Of private chats, of groups and of the system. */
const PULLS = 3;

function loadingEndsOf(deviceConnection: DeviceConnection): number {
  return deviceConnection.frames.filter((text) => loadingOf(text) === "false").length;
}

/** Says what a LOADING frame says. */
function loadingOf(text: string): string | undefined {
  if (!text.includes(`"type":${MessageType.LOADING}`)) return undefined;
  const { data } = JSON.parse(text) as { data?: { type?: number; content?: string } };
  return data?.type === MessageType.LOADING ? data.content : undefined;
}

/** INV7: each LOADING true is followed by LOADING false of its kind, or its socket has closed. */
export function findUnfinishedPulls(device: ClientDevice): string[] {
  return device.connections.flatMap((deviceConnection, number) => {
    const open = new Set<number>();
    for (const text of deviceConnection.frames) {
      const loading = loadingOf(text);
      if (loading === undefined) continue;
      const { cmd } = JSON.parse(text) as { cmd: number };
      if (loading === "true") open.add(cmd);
      else open.delete(cmd);
    }
    return open.size > 0 && !deviceConnection.isClosed
      ? [`socket ${number} loads ${[...open].join()} for ever`]
      : [];
  });
}

/** INV4: below each cursor on the disk this device has every message that its server would send it. */
export async function findGapsBelowCursor(
  device: ClientDevice,
  stored: { private: readonly number[]; group: readonly number[] },
): Promise<string[]> {
  const { ports, person } = device;
  const disk = await ports.storage.open(`parley:${ports.environment.origin}:${person.id}`);
  const cursors = ((await disk.value("cursors")) ?? {}) as Partial<Record<ChatType, number>>;
  const kept = { private: new Set<number>(), group: new Set<number>() };
  for (const { key } of await disk.chats()) {
    const kind = key.startsWith(ChatType.GROUP) ? "group" : "private";
    for (const { id } of await disk.messagesBefore(key, Infinity, Infinity)) kept[kind].add(id ?? 0);
  }
  disk.close();
  const holes = (kind: "private" | "group", cursor = 0) =>
    stored[kind].filter((id) => id <= cursor && !kept[kind].has(id)).map((id) => `${kind} ${id}`);
  const lost = [...holes("private", cursors.PRIVATE), ...holes("group", cursors.GROUP)];
  return lost.length === 0 ? [] : [`below its cursor it lacks ${lost.slice(0, 5).join(", ")}`];
}

export function visibleStateOf(device: ClientDevice): Snapshot {
  return snapshotOf(device.client.getState());
}
