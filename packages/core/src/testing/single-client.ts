import { Cmd, MessageType } from "@parley/protocol/codes";
import { noChanges } from "@parley/protocol/endpoints/changes";
import type { GroupVO } from "@parley/protocol/entities";
import type { Client } from "../client-api.ts";
import type { Notice } from "../notice.ts";
import { createClient } from "../client.ts";
import { friendVO, NOON, ownRow, privateRow, userInfo } from "./builders.ts";
import { clockOf, createFakePorts, type FakePorts, type FakePortsOptions } from "./fake-ports.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** A client whose server is the test, which answers requests and pushes frames by hand. */
export interface SingleClient {
  readonly ports: FakePorts;
  readonly client: Client;
  readonly notices: Notice[];
  /** Pushes frames and lets the client process them. */
  push(...frames: object[]): Promise<void>;
  /** Opens the socket and accepts its login; the pulls run from then on. */
  goOnline(epoch?: string): Promise<void>;
  /** Ends the three pulls. */
  endPulls(): Promise<void>;
  /** Answers the first waiting request whose url contains `part`. */
  respond(part: string, data: unknown, code?: number): Promise<void>;
  /** The waiting requests, by path and query. */
  waiting(): string[];
}

/** The answer to a login. */
export const TOKENS = {
  accessToken: "access 1",
  accessTokenExpiresIn: 1_800,
  refreshToken: "refresh 1",
  refreshTokenExpiresIn: 604_800,
};

/** Creates a client that is not logged in. */
export function createSingleClient(options: FakePortsOptions = {}, create = createClient): SingleClient {
  const ports = createFakePorts(options);
  const client = create(ports);
  const notices: Notice[] = [];
  client.onNotice((notice) => void notices.push(notice));
  const flush = async () => {
    await flushMicrotasks();
    // Without a scenario, tasks scheduled with `soon` run as soon as the turn is over.
    while ("runSoon" in ports.clock && (ports.clock as { runSoon(): boolean }).runSoon())
      await flushMicrotasks();
  };
  const single: SingleClient = {
    ports,
    client,
    notices,
    async push(...frames) {
      const socket = ports.sockets.last();
      socket.down.push(...frames.map((frame) => JSON.stringify(frame)));
      socket.deliverAll();
      await flush();
    },
    async goOnline(epoch = "epoch 1") {
      ports.sockets.last().accept();
      await single.push({ cmd: Cmd.LOGIN, data: { epoch } });
    },
    async endPulls() {
      const data = { type: MessageType.LOADING, content: "false" };
      await single.push(...[Cmd.PRIVATE, Cmd.GROUP, Cmd.SYSTEM].map((cmd) => ({ cmd, data })));
    },
    async respond(part, data, code) {
      ports.http.reply(part, data, code);
      await flush();
    },
    waiting: () => ports.http.waiting.map(({ request }) => request.url.replace(/^https?:\/\/[^/]+\/api/, "")),
  };
  return single;
}

/** Creates a client that is logged in as user 1 and online, with one friend, after the pulls have ended. */
export async function createLoggedInClient(options: FakePortsOptions = {}): Promise<SingleClient> {
  const single = createSingleClient(options);
  const form = { userName: "me", password: "password", rememberName: true, rememberPassword: false };
  const done = single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await done;
  await flushMicrotasks();
  await single.goOnline();
  await answerLoginRequests(single);
  await single.endPulls();
  return single;
}

/** Answers the requests that follow each socket login. */
export async function answerLoginRequests(
  single: SingleClient,
  friends = [friendVO()],
  groups: readonly GroupVO[] = [],
  me = userInfo(),
): Promise<void> {
  for (const part of ["private/pull", "group/pull", "system/pull"]) await single.respond(part, null);
  await single.respond("/user/changes", { ...NO_CHANGES });
  await single.respond("/user/self", me);
  await single.respond("/system/config", null, 500);
  await single.respond("/friend/list", friends);
  await single.respond("friend/request/list", []);
  await single.respond("/blacklist/list", []);
  await single.respond("/terminal/online", []);
  await single.respond("/group/list", groups);
  await single.respond("/group/request/list", []);
}

/** An empty answer of the change feed. */
export const NO_CHANGES = noChanges("1");

/** A pushed private row of the friend. */
export function pushedRow(id: number, part = {}): object {
  return { cmd: Cmd.PRIVATE, data: privateRow({ id, sendTime: NOON + id, ...part }) };
}

/** A row as the answer to a send of the user. */
export function sentRow(id: number, tmpId: string, content: string) {
  return ownRow({ id, tmpId, content });
}

/** Advances the clock and lets the client process what follows. */
export async function advanceTime(single: SingleClient, ms: number): Promise<void> {
  await flushMicrotasks();
  clockOf(single.ports).advance(ms);
  await flushMicrotasks();
}

/** The same user in the same tab after a reload, which comes after all deferred writes. */
export async function reload(single: SingleClient): Promise<SingleClient> {
  await advanceTime(single, 200);
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  await flushMicrotasks();
  return again;
}
