import { Cmd, MessageType } from "@parley/protocol/codes";
import type { GroupVO } from "@parley/protocol/entities";
import type { Client, Notice } from "../runtime/client-api.ts";
import { createClient } from "../runtime/client.ts";
import { friendVO, NOON, ownRow, privateRow, userInfo } from "./builders.ts";
import { clockOf, createFakePorts, type FakePorts, type FakePortsOptions } from "./fake-ports.ts";
import { settle } from "./settle.ts";

/** One client whose server is the test: it answers requests and pushes frames by hand. */
export interface Solo {
  readonly ports: FakePorts;
  readonly client: Client;
  readonly notices: Notice[];
  /** Pushes frames and lets the client take them. */
  push(...frames: object[]): Promise<void>;
  /** The socket opens and logs in; the pulls run from here on. */
  goOnline(epoch?: string): Promise<void>;
  /** The three pulls end. */
  endPulls(): Promise<void>;
  reply(part: string, data: unknown, code?: number): Promise<void>;
  /** Requests that wait, by what their urls end with. */
  waiting(): string[];
}

export const TOKENS = {
  accessToken: "access 1",
  accessTokenExpiresIn: 1_800,
  refreshToken: "refresh 1",
  refreshTokenExpiresIn: 604_800,
};

export function createSolo(options: FakePortsOptions = {}, create = createClient): Solo {
  const ports = createFakePorts(options);
  const client = create(ports);
  const notices: Notice[] = [];
  client.onNotice((notice) => void notices.push(notice));
  const soon = async () => {
    await settle();
    // The fake clock of a solo runs what was put off as soon as the turn is over.
    while ("runSoon" in ports.clock && (ports.clock as { runSoon(): boolean }).runSoon()) await settle();
  };
  const solo: Solo = {
    ports,
    client,
    notices,
    async push(...frames) {
      const wire = ports.sockets.last();
      wire.down.push(...frames.map((frame) => JSON.stringify(frame)));
      wire.deliverAll();
      await soon();
    },
    async goOnline(epoch = "epoch 1") {
      ports.sockets.last().accept();
      await solo.push({ cmd: Cmd.LOGIN, data: { epoch } });
    },
    async endPulls() {
      const data = { type: MessageType.LOADING, content: "false" };
      await solo.push(...[Cmd.PRIVATE, Cmd.GROUP, Cmd.SYSTEM].map((cmd) => ({ cmd, data })));
    },
    async reply(part, data, code) {
      ports.http.reply(part, data, code);
      await soon();
    },
    waiting: () => ports.http.waiting.map(({ request }) => request.url.replace(/^https?:\/\/[^/]+\/api/, "")),
  };
  return solo;
}

/** Logged in as number 1, online, pulls ended, with one friend. */
export async function loggedIn(options: FakePortsOptions = {}, create = createClient): Promise<Solo> {
  const solo = createSolo(options, create);
  const form = { userName: "me", password: "password", rememberName: true, rememberPassword: false };
  const done = solo.client.session.login(form);
  await settle();
  await solo.reply("/login", TOKENS);
  await solo.reply("/user/self", userInfo());
  await done;
  await settle();
  await solo.goOnline();
  await answerStart(solo);
  await solo.endPulls();
  return solo;
}

/** Answers what each login of the socket asks. */
export async function answerStart(
  solo: Solo,
  friends = [friendVO()],
  groups: readonly GroupVO[] = [],
): Promise<void> {
  for (const part of ["private/pull", "group/pull", "system/pull"]) await solo.reply(part, null);
  await solo.reply("/user/changes", { ...NO_CHANGES });
  await solo.reply("/user/self", userInfo());
  await solo.reply("/system/config", null, 500);
  await solo.reply("/friend/list", friends);
  await solo.reply("friend/request/list", []);
  await solo.reply("/blacklist/list", []);
  await solo.reply("/terminal/online", []);
  await solo.reply("/group/list", groups);
  await solo.reply("/group/request/list", []);
}

export const NO_CHANGES = {
  next: "1",
  read: [],
  cleared: [],
  hidden: [],
  purged: [],
  system: [],
  receipts: [],
};

/** A pushed private row of the friend. */
export function pushed(id: number, part = {}): object {
  return { cmd: Cmd.PRIVATE, data: privateRow({ id, sendTime: NOON + id, ...part }) };
}

/** A row as the answer to my own send. */
export function sentRow(id: number, tmpId: string, content: string) {
  return ownRow({ id, tmpId, content });
}

/** Time goes by, with all that it sets off. */
export async function pass(solo: Solo, ms: number): Promise<void> {
  await settle();
  clockOf(solo.ports).advance(ms);
  await settle();
}

/** The same person in the same tab, after a reload that came once everything was on disk. */
export async function reloaded(solo: Solo): Promise<Solo> {
  await pass(solo, 200);
  const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  await settle();
  return again;
}
