/** Runs the real client core as a device, over real HTTP and a real socket, so that batteries can check its state. */
import { Agent, type ClientRequest, request as httpRequest } from "node:http";
import { WebSocket } from "ws";
import type { Client } from "@parley/core/client-api";
import type { Notice } from "@parley/core/notice";
import { createClient } from "@parley/core/client";
import type { Clock, Http, HttpRequest, HttpResponse, Ports, Sockets } from "@parley/core/ports";
import type { SignedInClientOptions } from "@parley/core/signed-in-client";
import { createFakePorts } from "@parley/core/testing/fake-ports";
import { type MemoryStorage, createMemoryStorage } from "@parley/core/testing/memory-storage";
import { type Snapshot, snapshotOf } from "@parley/core/testing/snapshot";
import { ChatType, MessageType } from "@parley/protocol/codes";
import type { TestPerson } from "@parley/server/testing/test-person";
import { waitUntil } from "./wait-until.ts";

/** A running client and what it has received. */
export interface ClientDevice {
  readonly person: TestPerson;
  readonly client: Client;
  readonly ports: Ports;
  readonly storage: MemoryStorage;
  readonly notices: readonly Notice[];
  /** Its socket connections, oldest first. */
  readonly connections: readonly DeviceConnection[];
  /** The paths that it has requested, and the statuses of the answers; null if none came. */
  readonly requests: readonly { path: string; status: number | null }[];
  /** Ends the client as if its tab was killed. Its storage stays. */
  stop(): void;
}

/** One socket connection of a device. */
export interface DeviceConnection {
  readonly frames: string[];
  isClosed: boolean;
  /** The close code of the server; null while it is open, or if the client closed it. */
  code: number | null;
}

/** How to start a device. */
export interface ClientDeviceOptions {
  /** Different from the name of any other device, earlier ones too. */
  name: string;
  /** The origin of its page. Default: the server of its person. */
  url?: string;
  /** The storage of an earlier device, as after a reload. */
  storage?: MemoryStorage;
  /** By which factor its timers run faster. */
  timerSpeed?: number;
  /** Replaces its own clock. */
  clock?: Clock;
  sizes?: SignedInClientOptions;
  /** When its access token expires by its own clock. Default: in half an hour. */
  accessEndsAt?: number;
  /** Wraps the sockets that the client uses. */
  wrapSockets?(sockets: Sockets): Sockets;
  /** Wraps the HTTP calls of the client. */
  wrapHttp?(http: Http): Http;
}

/** Keeps all messages in the windows of the chats, so that the state of two devices can be compared completely. */
const ALL_IN_MEMORY: SignedInClientOptions = { closedWindow: 100_000 };
const DEFAULT_TIMER_SPEED = 50;
const HALF_AN_HOUR_MS = 1_800_000;

/** Starts a device that is signed in with the tokens of its person, as after a reload. Resolves when it begins to connect. */
export async function startDevice(person: TestPerson, options: ClientDeviceOptions): Promise<ClientDevice> {
  const { name, url = person.url, timerSpeed = DEFAULT_TIMER_SPEED } = options;
  const storage = options.storage?.tab(true) ?? createMemoryStorage();
  const clock = options.clock ?? fastClock(timerSpeed);
  saveSession(storage, person, url, options.accessEndsAt ?? clock.now() + HALF_AN_HOUR_MS);
  const connections: DeviceConnection[] = [];
  const requests: { path: string; status: number | null }[] = [];
  const sockets = realSockets(connections);
  const http = realHttp(requests);
  const ports: Ports = {
    ...createFakePorts({ name, origin: url, storage }),
    clock,
    http: options.wrapHttp?.(http) ?? http,
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

/** Stops all devices, also those of a run that was aborted. */
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

function realHttp(requests: { path: string; status: number | null }[]): Http {
  return {
    async request({ method, url, headers, body, timeoutMs, onProgress, lifetime }) {
      const entry: { path: string; status: number | null } = { path: new URL(url).pathname, status: null };
      requests.push(entry);
      const { data, type } = await bodyOf(body);
      const bodyHeaders = {
        "content-length": String(data.length),
        ...(type !== null && { "content-type": type }),
      };
      return new Promise<HttpResponse>((resolve) => {
        const failed = (reason: "offline" | "timeout") => resolve({ kind: "failed", reason });
        const call = httpRequest(
          url,
          { method, headers: { ...headers, ...bodyHeaders }, agent },
          (answer) => {
            entry.status = answer.statusCode ?? 0;
            let received = "";
            answer.setEncoding("utf8");
            answer.on("data", (part: string) => (received += part));
            answer.on("error", () => failed("offline"));
            answer.on("end", () => {
              // A browser reports an error if an answer is shorter than its length.
              if (!answer.complete) failed("offline");
              else
                resolve({
                  kind: "answer",
                  status: entry.status ?? 0,
                  text: received,
                  retryAfterSeconds: null,
                });
            });
          },
        );
        call.on("error", () => failed("offline"));
        call.setTimeout(timeoutMs, () => {
          failed("timeout");
          call.destroy();
        });
        lifetime?.onEnd(() => {
          failed("offline");
          call.destroy();
        });
        if (onProgress === undefined) call.end(data);
        else void writeInParts(call, data, onProgress);
      });
    },
  };
}

const PART_BYTES = 65_536;

/** Writes the body of an upload as fast as the connection takes it, and reports the progress as browsers do. */
async function writeInParts(
  call: ClientRequest,
  data: Buffer,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => call.once("close", resolve));
  for (let from = 0; from < data.length && !call.destroyed; from += PART_BYTES) {
    const part = data.subarray(from, from + PART_BYTES);
    await Promise.race([closed, new Promise<void>((resolve) => call.write(part, () => resolve()))]);
    if (!call.destroyed) onProgress(from + part.length, data.length);
  }
  call.end();
}

/** The bytes of a body, and the content type if it is a multipart body. */
async function bodyOf(body: HttpRequest["body"]): Promise<{ data: Buffer; type: string | null }> {
  if (body === undefined || typeof body === "string") return { data: Buffer.from(body ?? ""), type: null };
  const form = new FormData();
  for (const { field, file, name } of body) {
    if (!(file instanceof Blob)) throw new TypeError("the file of an upload must be a Blob");
    form.append(field, file, name);
  }
  const multipart = new Response(form);
  const data = Buffer.from(await multipart.arrayBuffer());
  return { data, type: multipart.headers.get("content-type") };
}

function realSockets(connections: DeviceConnection[]): Sockets {
  return {
    open(url, handlers) {
      const connection: DeviceConnection = { frames: [], isClosed: false, code: null };
      connections.push(connection);
      const ws = new WebSocket(url);
      ws.on("open", handlers.opened);
      ws.on("message", (data: Buffer) => {
        const text = data.toString("utf8");
        connection.frames.push(text);
        handlers.received(text);
      });
      ws.on("close", (code) => {
        connection.isClosed = true;
        connection.code = code;
        handlers.closed(code);
      });
      ws.on("error", () => undefined);
      return {
        send: (text) => {
          if (ws.readyState === WebSocket.OPEN) ws.send(text);
        },
        close(code) {
          connection.isClosed = true;
          ws.removeAllListeners();
          ws.on("error", () => undefined);
          if (ws.readyState === WebSocket.CONNECTING) ws.terminate();
          else ws.close(code);
        },
      };
    },
  };
}

/** Waits until the device is connected and its pulls have ended. */
export async function waitUntilIdle(device: ClientDevice): Promise<void> {
  await waitUntil(`${device.person.userName} has caught up`, () => {
    const { connection, chats, contacts, groups } = device.client.getState();
    if (connection.kind !== "online" || !contacts.isLoaded || !groups.isLoaded) return connection.kind;
    if (Object.values(chats.loading).some((isLoading) => isLoading)) return "loading";
    const lastConnection = device.connections.at(-1);
    // The state does not show whether the pulls of this socket have ended, so count their last frames.
    return lastConnection !== undefined && loadingEndsOf(lastConnection) >= PULLS ? undefined : "pulling";
  });
}

/** A pull each for private chats, groups and the system chat. */
const PULLS = 3;

function loadingEndsOf(connection: DeviceConnection): number {
  return connection.frames.filter((text) => loadingOf(text) === "false").length;
}

/** The content of a LOADING frame, or undefined for another frame. */
function loadingOf(text: string): string | undefined {
  if (!text.includes(`"type":${MessageType.LOADING}`)) return undefined;
  const { data } = JSON.parse(text) as { data?: { type?: number; content?: string } };
  return data?.type === MessageType.LOADING ? data.content : undefined;
}

/** INV7: every LOADING true is followed by a LOADING false of the same kind, or its socket has closed. */
export function findUnfinishedPulls(device: ClientDevice): string[] {
  return device.connections.flatMap((connection, number) => {
    const open = new Set<number>();
    for (const text of connection.frames) {
      const loading = loadingOf(text);
      if (loading === undefined) continue;
      const { cmd } = JSON.parse(text) as { cmd: number };
      if (loading === "true") open.add(cmd);
      else open.delete(cmd);
    }
    return open.size > 0 && !connection.isClosed
      ? [`socket ${number} loads ${[...open].join()} without an end`]
      : [];
  });
}

/** INV4: below each stored cursor, the device has every message that the server would send. */
export async function findGapsBelowCursor(
  device: ClientDevice,
  stored: { private: readonly number[]; group: readonly number[] },
): Promise<string[]> {
  const { ports, person } = device;
  const database = await ports.storage.open(`parley-chats:${ports.environment.origin}:${person.id}`);
  const cursors = ((await database.value("cursors")) ?? {}) as Partial<Record<ChatType, number>>;
  const storedIds = { private: new Set<number>(), group: new Set<number>() };
  for (const { key } of await database.chats()) {
    const kind = key.startsWith(ChatType.GROUP) ? "group" : "private";
    for (const { id } of await database.messagesBefore(key, Infinity, Infinity)) storedIds[kind].add(id ?? 0);
  }
  database.close();
  const missingIds = (kind: "private" | "group", cursor = 0) =>
    stored[kind].filter((id) => id <= cursor && !storedIds[kind].has(id)).map((id) => `${kind} ${id}`);
  const missing = [...missingIds("private", cursors.PRIVATE), ...missingIds("group", cursors.GROUP)];
  return missing.length === 0
    ? []
    : [`messages are missing below its cursor: ${missing.slice(0, 5).join(", ")}`];
}

/** The state that the device shows, for comparisons. */
export function visibleStateOf(device: ClientDevice): Snapshot {
  return snapshotOf(device.client.getState());
}
