/** The sockets of this node: login, heartbeat, push, kick, back-pressure. Clients never send chat content on a socket. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawData, type Server, WebSocketServer } from "ws";
import { CloseCode, Cmd } from "@parley/protocol/codes";
import type { LogoutReason } from "@parley/protocol/envelope";
import type { LoginData } from "@parley/protocol/frame";
import {
  FRAME_MAX_BYTES,
  KICK_CLOSE_DELAY_MS,
  SOCKET_IDLE_MS,
  SOCKET_LOGIN_TIMEOUT_MS,
  SOCKET_PING_MS,
} from "@parley/protocol/limits";
import type { RateLimiter } from "../ports/rate-limiter.ts";
import { type Audience, type Bus, type BusEvent, type ClientInstance, endsSession } from "../ports/bus.ts";
import type { Session, Sessions } from "../api/api-call.ts";
import { languageOf } from "../api/language.ts";
import { networkOf } from "../api/network-of.ts";
import type { PassFailpoint } from "../ports/failpoints.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Presence } from "../ports/presence.ts";
import { type ConnectionLimitOptions, ConnectionLimits } from "./connection-limits.ts";
import { CorkedSockets } from "./corked-sockets.ts";
import { FloodGuard } from "./flood-guard.ts";
import { HEARTBEAT_FRAME, PING_FRAME, encodeText } from "./encode-frame.ts";
import { GatewaySocket, type SocketOwner } from "./gateway-socket.ts";
import { isNewer, type Kick, kickBy, LoginOrder, rivalsOf } from "./kicks.ts";
import { logoutMessage } from "./logout-messages.ts";
import { decodeToken, parseFrame } from "./read-frame.ts";
import { NO_ROLE, refuseUpgrade } from "./refuse-upgrade.ts";
import { RepeatedUntilDone } from "./repeated-until-done.ts";
import { instanceOf, isInstance, socketPresence } from "./socket-identity.ts";
import { waitUntilDrained } from "./wait-until-drained.ts";

/** The close code of RFC 6455 for a client that has gone silent. */
const GOING_AWAY = 1_001;
const STOP_WAIT_MS = 1_500;
/** When a node ends, its sockets close in this many steps, so that not all of its clients connect elsewhere in the same moment. */
const STOP_STEPS = 50;
const STOP_STEP_MS = 100;
/** Fewer sockets than this are no load for anybody. */
const STOP_STEP_MIN = 20;
/** The reason beside the close code, for authors of clients. */
const FLOOD_SENTENCE = "More frames than a client needs. Connect again later.";
/** Added to the reported time in which events may have been lost, because nodes notice a loss one after the other. */
const GAP_MARGIN_MS = 10_000;

/** What the gateway needs. */
export interface GatewayOptions extends ConnectionLimitOptions {
  bus: Bus;
  presence: Presence;
  sessions: Sessions;
  /** The epoch of the store, sent to each client at its login. */
  epoch: string;
  now(): number;
  /** Whether a page of this origin may connect. Called only if the request has an origin. */
  isOriginAllowed(origin: string, host: string | undefined): boolean;
  addressOf(request: IncomingMessage): string;
  /** False: this node takes no sockets, and says so. */
  hasRole: boolean;
  /** Takes over work that outlives its event: the server waits for it before it closes. */
  inBackground(work: Promise<void>): void;
  failpoint: PassFailpoint;
  rateLimiter: RateLimiter;
  metrics: Pick<
    Metrics,
    "socketLoggedIn" | "socketClosed" | "framePushed" | "socketFlooded" | "upgradeRefused"
  >;
  /** Whether clients may come back on other nodes. If not, those of a server that ends come back after its restart, and are not gone. */
  hasOtherNodes: boolean;
  /** Hears of clients that connect and disconnect. */
  clients: ClientListener;
  log: { debug(data: object, text: string): void; warn(data: object, text: string): void };
}

/** Hears of clients that connect to a node and disconnect. */
export interface ClientListener {
  /** A socket of this client has logged in. */
  attached(client: ClientInstance): void;
  /** The last socket of this client has closed. `isFinal`: the client has ended on purpose, or its session has. */
  detached(client: ClientInstance, isFinal: boolean): void;
}

/** The sockets of one node. */
export interface Gateway {
  /** Handles an upgrade request of the HTTP server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The ids of the logged-in sockets of a client instance or, without one, of a session, oldest first. */
  socketsOf(instance: ClientInstance): string[];
  /** The client instances of a person that have a socket. */
  clientsOf(userId: number): ClientInstance[];
  /** Sends to the sockets of this node that are in the audience. */
  send(audience: Audience, frame: string): void;
  /** Waits until one of these sockets has written most of its buffer. Returns false if none is left. */
  waitForDrain(audience: Audience): Promise<boolean>;
  /** Does what is due: pings, and closing sockets whose time is over. Called every second. */
  sweep(): void;
  /** The people with a logged-in socket. */
  connectedUsers(): number[];
  socketCount(): number;
  /** The number of people with a logged-in socket. */
  userCount(): number;
  readonly isStopping: boolean;
  /** Closes every socket with 1012, many of them spread over five seconds. */
  stop(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  return new SocketGateway(options);
}

class SocketGateway implements Gateway, SocketOwner {
  readonly #options: GatewayOptions;
  readonly #server: Server<typeof GatewaySocket>;
  readonly #node = randomBytes(6).toString("base64url");
  readonly #sockets = new Set<GatewaySocket>();
  /** The sockets that are logged in and served. */
  readonly #byUser = new Map<number, GatewaySocket[]>();
  readonly #limits: ConnectionLimits;
  readonly #floodGuard: FloodGuard;
  readonly #corked = new CorkedSockets();
  readonly #loggedIn: Buffer;
  readonly #unsubscribe: () => void;
  #opened = 0;
  #isStopping = false;
  readonly #loginOrder = new LoginOrder();
  /** Closes the sockets of sessions that have ended without this node hearing of it. */
  readonly #missedEndings: RepeatedUntilDone;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#limits = new ConnectionLimits(options);
    this.#floodGuard = new FloodGuard(options);
    this.#server = new WebSocketServer({
      noServer: true,
      WebSocket: GatewaySocket,
      maxPayload: FRAME_MAX_BYTES,
      perMessageDeflate: false,
      clientTracking: false,
      skipUTF8Validation: false,
    });
    // The library would answer a broken handshake with a page.
    this.#server.on("wsClientError", (_error, socket) => refuseUpgrade(socket, "400 Bad Request"));
    this.#loggedIn = encodeText(JSON.stringify({ cmd: Cmd.LOGIN, data: { epoch: options.epoch } }));
    this.#missedEndings = new RepeatedUntilDone(() => this.#closeEnded(), {
      inBackground: options.inBackground,
      onError: (error) => options.log.warn({ err: error }, "it is unknown which sessions have ended"),
    });
    this.#unsubscribe = options.bus.subscribe((event) => this.#onBusEvent(event));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { isOriginAllowed, addressOf, hasRole } = this.#options;
    const { origin, host } = request.headers;
    const path = request.url?.split("?", 1)[0];
    const address = addressOf(request);
    const from = { address, network: networkOf(address) };
    if (this.#isStopping) return refuseUpgrade(socket, "503 Service Unavailable");
    if (path !== "/im" && path !== "/im/") return refuseUpgrade(socket, "404 Not Found");
    if (!hasRole) return refuseUpgrade(socket, "404 Not Found", NO_ROLE);
    if (origin !== undefined && !isOriginAllowed(origin, host)) return refuseUpgrade(socket, "403 Forbidden");
    if (this.#floodGuard.refusesUpgrade(from) || this.#limits.isNetworkFull(from.network))
      return refuseUpgrade(socket, "429 Too Many Requests");
    const onError = () => socket.destroy();
    socket.on("error", onError);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      socket.off("error", onError);
      // The HTTP server hands over the connection it accepted, which is a net.Socket or a TLSSocket.
      this.#open(opened, socket as Socket, from, request.headers["accept-language"]);
    });
  }

  #open(
    socket: GatewaySocket,
    raw: Socket,
    from: Pick<GatewaySocket, "address" | "network">,
    acceptLanguage: string | undefined,
  ): void {
    const now = this.#options.now();
    socket.number = this.#opened++;
    socket.raw = raw;
    socket.allowance = this.#floodGuard.newAllowance();
    socket.address = from.address;
    socket.network = from.network;
    socket.language = languageOf(acceptLanguage);
    socket.lastActiveAt = now;
    socket.lastPing = now;
    socket.deadline = now + SOCKET_LOGIN_TIMEOUT_MS;
    this.#limits.opened(socket);
    this.#sockets.add(socket);
    socket.listen(this);
    this.#options.log.debug({ socket: this.#idOf(socket) }, "a socket opened");
  }

  admit(socket: GatewaySocket, chunk: Uint8Array): boolean {
    if (this.#floodGuard.admits(socket, chunk)) return true;
    this.#cut(socket);
    return false;
  }

  read(socket: GatewaySocket, data: RawData, isBinary: boolean): void {
    this.noteActivity(socket);
    if (socket.phase === "ending") return;
    const frame = isBinary ? undefined : parseFrame(data);
    if (frame === undefined) {
      this.#close(socket, CloseCode.MALFORMED);
    } else if (frame.cmd === Cmd.HEARTBEAT) {
      // No answer before the login: the login has its own time limit.
      if (socket.phase === "open") this.#answerHeartbeat(socket);
    } else {
      this.#logIn(socket, frame.data);
    }
  }

  /** Only a running page sends heartbeats; pongs come from the browser even while the page is frozen. */
  #answerHeartbeat(socket: GatewaySocket): void {
    if (socket.session)
      this.#options.presence.heard(socketPresence(socket, socket.session).device, this.#options.now());
    socket.writeFrame(HEARTBEAT_FRAME);
  }

  noteActivity(socket: GatewaySocket): void {
    const now = this.#options.now();
    socket.lastActiveAt = now;
    if (socket.phase === "open" && socket.session)
      this.#options.sessions.noteActivity(socket.session.sessionId, now);
  }

  closed(socket: GatewaySocket, code: number): void {
    this.#leave(socket, code === CloseCode.DELIBERATE);
    this.#sockets.delete(socket);
    this.#limits.closed(socket);
    socket.raw = undefined;
    this.#options.metrics.socketClosed(code);
    this.#options.log.debug({ socket: this.#idOf(socket), code }, "a socket closed");
  }

  #logIn(socket: GatewaySocket, data: LoginData): void {
    const token = decodeToken(data.accessToken);
    const lookup = this.#options.sessions.find(token, this.#options.now());
    if (!(lookup instanceof Promise)) return this.#finishLogin(socket, data, lookup);
    void lookup
      // Check again, because the session may have ended since. The token is in the cache now.
      .then((session) => session && this.#options.sessions.find(token, this.#options.now()))
      .then(
        (session) => this.#finishLogin(socket, data, session),
        (error: unknown) => {
          this.#options.log.warn({ socket: this.#idOf(socket), err: error }, "a socket login failed");
          this.#close(socket, CloseCode.RESTART);
        },
      );
  }

  #finishLogin(socket: GatewaySocket, data: LoginData, session: Session | undefined): void {
    if (socket.phase === "ending" || socket.readyState !== socket.OPEN) return;
    if (session === undefined) return this.#close(socket, CloseCode.BAD_TOKEN);
    if (socket.session !== undefined) {
      // Already logged in: a newer token of the session changes nothing, and a token of another session is refused.
      if (session.sessionId === socket.session.sessionId) socket.writeFrame(this.#loggedIn);
      else this.#close(socket, CloseCode.BAD_TOKEN);
      return;
    }
    const deviceNo = data.devId || session.deviceNo || null;
    const userSockets = this.#byUser.get(session.userId);
    if (this.#limits.isTerminalFull(session, deviceNo, userSockets ?? []))
      return this.#close(socket, CloseCode.TOO_MANY);
    if (!this.#floodGuard.admitsLogin(socket, session.userId)) return this.#cut(socket);
    this.#limits.loggedIn(socket, session.userId);
    socket.phase = "open";
    socket.deadline = Infinity;
    socket.session = session;
    socket.deviceNo = deviceNo;
    socket.clientId = data.clientId || null;
    socket.capabilities = data.caps ?? NO_CAPABILITIES;
    if (userSockets) userSockets.push(socket);
    else this.#byUser.set(session.userId, [socket]);
    socket.loggedInAt = this.#options.now();
    socket.loginOrder = this.#loginOrder.next(socket.loggedInAt);
    this.#options.sessions.noteAddress(session.sessionId, socket.address, socket.loggedInAt);
    this.#options.presence.connected(socketPresence(socket, session), socket.loggedInAt);
    socket.writeFrame(this.#loggedIn);
    this.#options.metrics.socketLoggedIn();
    this.#options.bus.publish(kickBy(socket, session, this.#idOf(socket)));
    this.#options.clients.attached(instanceOf(socket, session));
  }

  #onBusEvent(event: BusEvent): void {
    switch (event.kind) {
      case "push":
        return this.send(event.audience, event.frame);
      case "kick":
        return this.#kick(event);
      case "endSessions":
        return this.#endSessions(event);
      case "interrupted":
        if (!this.#isStopping) this.#missedEndings.request();
        return this.#kickAgain(event.gapMs);
      case "stale":
      case "staleGroup":
      case "webPushSubscribed":
      case "settingsChanged":
      case "alertsOver":
      case "query":
      case "answer":
      case "callClientDetached":
        return;
    }
  }

  /** Repeats kicks that other nodes may not have received. A socket that has logged in there later than the one here stays. */
  #kickAgain(gapMs: number): void {
    const since = this.#options.now() - gapMs - GAP_MARGIN_MS;
    for (const socket of this.#sockets) {
      const { session, loggedInAt } = socket;
      if (socket.phase === "open" && session !== undefined && loggedInAt >= since)
        this.#options.bus.publish(kickBy(socket, session, this.#idOf(socket)));
    }
  }

  send(audience: Audience, frame: string): void {
    let encoded: Buffer | undefined;
    let count = 0;
    for (const userId of audience.userIds) {
      const sockets = this.#byUser.get(userId);
      if (sockets === undefined) continue;
      let slow: GatewaySocket[] | undefined;
      for (const socket of sockets) {
        if (!this.#isInAudience(socket, audience)) continue;
        void this.#options.failpoint(
          userId === audience.except?.userId ? "beforePushSelf" : "beforePushPeer",
          this.#corked.flush,
        );
        encoded ??= encodeText(frame);
        this.#corked.add(socket);
        count++;
        if (!socket.writeFrame(encoded)) (slow ??= []).push(socket);
      }
      if (slow) for (const socket of slow) this.#close(socket, CloseCode.TOO_SLOW);
    }
    // The rows of a pull were sent long ago.
    if (count > 0 && audience.sockets === undefined) this.#options.metrics.framePushed(frame, count);
  }

  #kick(kick: Kick): void {
    this.#loginOrder.heard(kick);
    const rivals = rivalsOf(kick, this.#byUser.get(kick.userId) ?? []);
    const newer = rivals.find((socket) => isNewer(socket, this.#idOf(socket), kick));
    if (newer?.session !== undefined) {
      // Its own kick may have been lost, and it kicks what this one would have kicked.
      this.#options.bus.publish(kickBy(newer, newer.session, this.#idOf(newer)));
      return;
    }
    const ended = new Set(rivals.flatMap(({ session }) => session?.sessionId ?? []));
    for (const socket of rivals) this.#forceOut(socket, "kicked");
    if (ended.size > 0) this.#endKickedSessions(kick.userId, [...ended]);
  }

  /** Ends the sessions of kicked sockets, so that their tokens become invalid too. */
  #endKickedSessions(userId: number, sessionIds: readonly string[]): void {
    const { sessions, now, log, inBackground } = this.#options;
    inBackground(
      sessions.end(userId, sessionIds, "kicked", now()).catch((error: unknown) => {
        log.warn({ err: error }, "a kicked session could not be ended");
      }),
    );
  }

  #endSessions(event: Extract<BusEvent, { kind: "endSessions" }>): void {
    for (const socket of this.#byUser.get(event.userId) ?? []) {
      if (socket.session && endsSession(event, socket.session.sessionId))
        this.#forceOut(socket, event.reason);
    }
  }

  async #closeEnded(): Promise<void> {
    const sessionIds = new Set([...this.#sockets].flatMap(({ session }) => session?.sessionId ?? []));
    const ended = await this.#options.sessions.findEnded([...sessionIds]);
    for (const socket of this.#sockets) {
      const reason = socket.phase === "open" && socket.session && ended.get(socket.session.sessionId);
      if (reason) this.#forceOut(socket, reason);
    }
  }

  /** Sends the reason, and gives the client a moment to close the socket itself. */
  #forceOut(socket: GatewaySocket, reason: LogoutReason): void {
    const sentence = logoutMessage(reason, socket.language);
    socket.writeFrame(encodeText(JSON.stringify({ cmd: Cmd.FORCED_LOGOUT, data: sentence, reason })));
    this.#leave(socket, true);
    socket.deadline = this.#options.now() + KICK_CLOSE_DELAY_MS;
    socket.deadlineCode = CloseCode.KICKED;
  }

  #close(socket: GatewaySocket, code: number): void {
    this.#leave(socket);
    socket.close(code);
  }

  /** For sockets that flood: unlike after a close, nothing more is read. */
  #cut(socket: GatewaySocket): void {
    this.#leave(socket);
    socket.cut(CloseCode.TOO_MANY_FRAMES, FLOOD_SENTENCE);
  }

  /** Takes the socket out of service: nothing more is pushed to it. */
  #leave(socket: GatewaySocket, isFinal = false): void {
    const { session } = socket;
    if (socket.phase === "open" && session !== undefined) {
      const userSockets = this.#byUser.get(session.userId)?.filter((other) => other !== socket) ?? [];
      if (userSockets.length > 0) this.#byUser.set(session.userId, userSockets);
      else this.#byUser.delete(session.userId);
      this.#options.presence.disconnected(socketPresence(socket, session));
      const client = instanceOf(socket, session);
      const isRestart = this.#isStopping && !this.#options.hasOtherNodes;
      if (!isRestart && !userSockets.some((other) => isInstance(other, client)))
        this.#options.clients.detached(client, isFinal);
    }
    socket.phase = "ending";
  }

  #idOf(socket: GatewaySocket): string {
    return `${this.#node}:${socket.number}`;
  }

  #isInAudience(socket: GatewaySocket, { except, only, sockets, capability }: Audience): boolean {
    if (except !== undefined && isInstance(socket, except)) return false;
    if (only !== undefined && !isInstance(socket, only)) return false;
    if (sockets !== undefined && !sockets.includes(this.#idOf(socket))) return false;
    return capability === undefined || socket.capabilities.includes(capability);
  }

  socketsOf(instance: ClientInstance): string[] {
    const userSockets = this.#byUser.get(instance.userId) ?? [];
    return userSockets.filter((socket) => isInstance(socket, instance)).map((socket) => this.#idOf(socket));
  }

  clientsOf(userId: number): ClientInstance[] {
    const clients: ClientInstance[] = [];
    for (const socket of this.#byUser.get(userId) ?? []) {
      if (socket.session === undefined || clients.some((client) => isInstance(socket, client))) continue;
      clients.push(instanceOf(socket, socket.session));
    }
    return clients;
  }

  async waitForDrain(audience: Audience): Promise<boolean> {
    const audienceSockets = () =>
      audience.userIds
        .flatMap((id) => this.#byUser.get(id) ?? [])
        .filter((socket) => this.#isInAudience(socket, audience));
    await waitUntilDrained(audienceSockets());
    return audienceSockets().length > 0;
  }

  sweep(): void {
    if (!this.#isStopping) this.#missedEndings.retry();
    const now = this.#options.now();
    for (const socket of this.#sockets) {
      if (now < socket.lastActiveAt) socket.clockSetBack(now);
      if (now >= socket.deadline) {
        socket.deadline = Infinity;
        this.#close(socket, socket.deadlineCode);
      } else if (now - socket.lastActiveAt >= SOCKET_IDLE_MS && socket.phase === "open") {
        this.#close(socket, GOING_AWAY);
      } else if (now - socket.lastPing >= SOCKET_PING_MS && socket.phase === "open") {
        socket.lastPing = now;
        socket.writeFrame(PING_FRAME);
      }
    }
  }

  connectedUsers(): number[] {
    return [...this.#byUser.keys()];
  }

  socketCount(): number {
    return this.#sockets.size;
  }

  userCount(): number {
    return this.#byUser.size;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const sockets = [...this.#sockets];
    const stepSize = Math.max(STOP_STEP_MIN, Math.ceil(sockets.length / STOP_STEPS));
    const closed: Promise<void>[] = [];
    // Those who still wait for their turn get their pushes.
    for (let start = 0; start < sockets.length; start += stepSize) {
      if (start > 0) await sleep(STOP_STEP_MS);
      for (const socket of sockets.slice(start, start + stepSize)) closed.push(this.#closeForRestart(socket));
    }
    this.#unsubscribe();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_WAIT_MS)));
    await Promise.race([Promise.all(closed), timeout]);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.terminate();
  }

  #closeForRestart(socket: GatewaySocket): Promise<void> {
    if (!this.#sockets.has(socket)) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once("close", () => resolve());
      this.#close(socket, CloseCode.RESTART);
    });
  }
}

const NO_CAPABILITIES: readonly string[] = [];
