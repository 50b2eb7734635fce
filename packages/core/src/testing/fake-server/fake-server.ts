import { ChatType, Cmd, Code, MessageType } from "@parley/protocol/codes";
import { ERRORS, type ErrorKey } from "@parley/protocol/errors";
import { PULL_OVERLAP_MS } from "@parley/protocol/limits";
import type { HttpResponse, HttpRequest } from "../../ports.ts";
import type { FakeSocket } from "../fake-sockets.ts";
import { findEndpoint } from "../find-endpoint.ts";
import type { Fault } from "./faults.ts";
import { findGroupMessage, groupMessageFor, isVisibleToMember } from "./group-view.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import { ApiError } from "./api-error.ts";
import { type Actor, createFakeGateway, type FakeGateway } from "./fake-gateway.ts";
import {
  clearedUpTo,
  createTables,
  isVisibleTo,
  privateMessageFor,
  systemMessageFor,
  type Tables,
} from "./tables.ts";

/**
 * A small server in memory that follows the protocol like the real one: ids in commit order, permanent tmpIds, background pulls with an
 * overlap, read positions, requests. Everything happens only when a test or a scenario triggers it.
 */
export interface FakeServer {
  readonly tables: Tables;
  readonly gateway: FakeGateway;
  addUser(userName: string, options?: { isManualApprove?: boolean }): number;
  /** Answers one request. */
  handle(request: HttpRequest): HttpResponse;
  /** The running pulls. */
  readonly pulls: FakePull[];
  /** Pushes the next rows of a pull, at most `count`. */
  stepPull(pull: FakePull, count: number): void;
  connectionLost(socket: FakeSocket): void;
  /** First pulls send at most this many rows. */
  firstPullMax: number;
  /** How often a pull has left rows out. */
  gapCount: number;
  /** The tmpIds of messages that were refused at least once. */
  readonly refusedTmpIds: ReadonlySet<string>;
}

/** A running pull. */
export interface FakePull {
  readonly actor: Actor;
  readonly kind: ChatType;
  readonly rows: object[];
  readonly fromId: number | null;
  /** The socket that the client had when it requested the pull; the pull ends with it. */
  readonly socket: FakeSocket | null;
  isAnnounced: boolean;
}

const COMMAND_OF = { PRIVATE: Cmd.PRIVATE, GROUP: Cmd.GROUP, SYSTEM: Cmd.SYSTEM } as const;

/** Creates a server without users. */
export function createFakeServer(now: () => number, faults: readonly Fault[] = []): FakeServer {
  const tables = createTables(now);
  const hasFault = (fault: Fault) => faults.includes(fault);
  const sessions = new Map<string, { userId: number; sessionId: string }>();
  const gateway = createFakeGateway({
    authenticate: (token) => sessions.get(token) ?? null,
  });
  const pulls: FakePull[] = [];
  const refusedTmpIds = new Set<string>();

  /** The rows above the cursor, and those stored within the overlap before the cursor's row. */
  function privateRows(userId: number, after: number): { rows: object[]; fromId: number | null } {
    const visible = tables.messages.filter((row) => isVisibleTo(tables, row, userId));
    const cursorRow = tables.messages.find((row) => row.id === after);
    const since = cursorRow === undefined ? Infinity : cursorRow.sendTime - PULL_OVERLAP_MS;
    const requested = visible.filter((row) => row.id > after || (row.id <= after && row.sendTime >= since));
    const isCut = after === 0 && requested.length > server.firstPullMax;
    const rows = isCut ? requested.slice(-server.firstPullMax) : requested;
    return {
      rows: rows.map((row) => privateMessageFor(tables, row, userId)),
      fromId: isCut ? (rows[0]?.id ?? 1) : null,
    };
  }

  /** Likewise for groups. A first pull limits the rows of each group and names the highest start. */
  function groupRows(userId: number, after: number): { rows: object[]; fromId: number | null } {
    const cursorRow = findGroupMessage(tables, after);
    const since = cursorRow === undefined ? Infinity : cursorRow.sendTime - PULL_OVERLAP_MS;
    const requested = tables.groups.messages.filter(
      (row) => isVisibleToMember(tables, row, userId) && (row.id > after || row.sendTime >= since),
    );
    let fromId: number | null = null;
    const includedIds = new Set<number>();
    for (const id of new Set(requested.map((row) => row.groupId))) {
      const ofGroup = requested.filter((row) => row.groupId === id);
      const isCut = after === 0 && ofGroup.length > server.firstPullMax;
      const rows = isCut ? ofGroup.slice(-server.firstPullMax) : ofGroup;
      for (const row of rows) includedIds.add(row.id);
      if (isCut) fromId = Math.max(fromId ?? 0, rows[0]?.id ?? 1);
    }
    const rows = requested.filter((row) => includedIds.has(row.id));
    return { rows: rows.map((row) => groupMessageFor(tables, row, userId)), fromId };
  }

  function startPull(actor: Actor, kind: ChatType, after: number): void {
    let rows: object[] = [];
    let fromId: number | null = null;
    if (kind === ChatType.PRIVATE) ({ rows, fromId } = privateRows(actor.userId, after));
    if (kind === ChatType.GROUP) ({ rows, fromId } = groupRows(actor.userId, after));
    if (kind === ChatType.SYSTEM) {
      const cleared = clearedUpTo(tables, actor.userId, kind);
      const own = tables.system.filter((row) => row.userId === actor.userId && row.message.seqNo > cleared);
      const since =
        (own.findLast(({ message }) => message.seqNo <= after)?.message.sendTime ?? Infinity) -
        PULL_OVERLAP_MS;
      rows = own
        .filter(({ message }) => message.seqNo > after || message.sendTime >= since)
        .map((row) => systemMessageFor(tables, row));
    }
    if (hasFault("lossyPull")) rows = rows.slice(0, -1);
    if (fromId !== null) server.gapCount++;
    const socket = gateway.socketOf(actor);
    const pull: FakePull = { actor, kind, rows, fromId, socket, isAnnounced: false };
    pulls.push(pull);
    if (hasFault("endsPullEarly")) sendLoading(pull, "false");
  }

  function sendLoading(pull: FakePull, content: "true" | "false"): void {
    const data = { type: MessageType.LOADING, content, ...(pull.fromId !== null && { fromId: pull.fromId }) };
    gateway.toSocket(pull.socket, { cmd: COMMAND_OF[pull.kind], data });
  }

  const handlers: Handlers = {
    ...createHandlers({ tables, gateway, hasFault, pull: startPull }),
    login({ body }) {
      const user = tables.users.find(({ userName }) => userName === body.userName);
      if (user === undefined || user.password !== body.password) throw new ApiError("login.wrongPassword");
      return newPair(user.id, `s${sessions.size}`);
    },
  };

  function newPair(userId: number, sessionId: string) {
    const accessToken = `access-${userId}-${sessions.size}`;
    sessions.set(accessToken, { userId, sessionId });
    return {
      accessToken,
      accessTokenExpiresIn: 1e9,
      refreshToken: `refresh-${accessToken}`,
      refreshTokenExpiresIn: 1e9,
    };
  }

  const server: FakeServer = {
    tables,
    gateway,
    pulls,
    firstPullMax: 10_000,
    gapCount: 0,
    refusedTmpIds,
    addUser(userName, options = {}) {
      const id = tables.users.length + 1;
      const isManualApprove = options.isManualApprove ?? true;
      tables.users.push({
        id,
        userName,
        nickName: userName.toUpperCase(),
        password: "password",
        isManualApprove,
      });
      return id;
    },
    handle(request) {
      const response = handleRequest(request, handlers, (token) => sessions.get(token) ?? null);
      const tmpId = tmpIdOf(request);
      if (tmpId !== null && isRefusal(response)) refusedTmpIds.add(tmpId);
      return response;
    },
    stepPull(pull, count) {
      // Two pulls of one client and kind do not mix: the earlier one runs first.
      const first = pulls.find(
        (other) => other.kind === pull.kind && other.actor.clientId === pull.actor.clientId,
      );
      if (first !== pull) return;
      if (!pull.isAnnounced && (pull.rows.length > 0 || pull.fromId !== null)) {
        pull.isAnnounced = true;
        sendLoading(pull, "true");
      }
      for (const row of pull.rows.splice(0, count))
        gateway.toSocket(pull.socket, { cmd: COMMAND_OF[pull.kind], data: row });
      if (pull.rows.length > 0 && gateway.isConnected(pull.socket)) return;
      pulls.splice(pulls.indexOf(pull), 1);
      if (!hasFault("endsPullEarly")) gateway.toSocket(pull.socket, endOf(pull));
    },
    connectionLost: (socket) => gateway.forget(socket),
  };

  function endOf(pull: FakePull): object {
    return { cmd: COMMAND_OF[pull.kind], data: { type: MessageType.LOADING, content: "false" } };
  }

  return server;
}

function handleRequest(
  request: HttpRequest,
  handlers: Handlers,
  authenticate: (token: string) => { userId: number; sessionId: string } | null,
): HttpResponse {
  const match = findEndpoint(request);
  if (match === undefined) return errorAnswer("request.notFound");
  const { name, endpoint, params, query } = match;
  const session = authenticate(decodeURIComponent(request.headers["accessToken"] ?? ""));
  if (session === null && (endpoint.auth === "token" || endpoint.auth === "admin"))
    return errorAnswer("auth.tokenInvalid");
  const actor: Actor = {
    userId: session?.userId ?? 0,
    sessionId: session?.sessionId ?? "",
    clientId: decodeURIComponent(request.headers["clientId"] ?? ""),
  };
  const body: unknown = typeof request.body === "string" ? JSON.parse(request.body) : undefined;
  try {
    const handler = handlers[name] as ((call: object) => unknown) | undefined;
    if (handler === undefined) return errorAnswer("request.notFound");
    const input = {
      actor,
      params: endpoint.params?.parse(params),
      query: endpoint.query?.parse(query),
      body: endpoint.body?.parse(body),
      files: typeof request.body === "object" ? request.body : [],
    };
    return answer(200, { code: Code.OK, message: "", data: handler(input) ?? null });
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(error.key);
    throw error;
  }
}

function tmpIdOf({ body }: HttpRequest): string | null {
  if (typeof body !== "string") return null;
  return (JSON.parse(body) as { tmpId?: string }).tmpId ?? null;
}

function isRefusal(response: HttpResponse): boolean {
  return response.kind === "answer" && (JSON.parse(response.text) as { code: number }).code !== Code.OK;
}

function errorAnswer(key: ErrorKey): HttpResponse {
  const { code, http } = ERRORS[key];
  return answer(http, { code, message: key, data: null, key });
}

function answer(status: number, body: object): HttpResponse {
  return { kind: "answer", status, text: JSON.stringify(body), retryAfterSeconds: null };
}
