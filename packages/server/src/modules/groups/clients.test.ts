import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { JoinMode } from "@parley/protocol/codes";
import { createClient } from "@parley/core/client";
import type { Client } from "@parley/core/client-api";
import type { Http, Sockets } from "@parley/core/ports";
import { createFakePorts } from "@parley/core/testing/fake-ports";
import { WebSocket } from "ws";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { type TestPerson, PASSWORD, befriend, registerPerson } from "../../testing/test-person.ts";

/** Several real clients against a real server. Each must show what the server answers to a new request. */

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

/** Time passes faster for the clients, so that their delayed work is done soon. */
const SPEED_UP = 50;
const clock = {
  now: () => Date.now(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms / SPEED_UP);
    return () => clearTimeout(timer);
  },
  soon: (run: () => void) => void setImmediate(run),
};

const http: Http = {
  async request({ method, url, headers, body }) {
    try {
      const response = await fetch(url, {
        method,
        headers,
        ...(typeof body === "string" && { body }),
      });
      return {
        kind: "answer",
        status: response.status,
        text: await response.text(),
        retryAfterSeconds: null,
      };
    } catch {
      return { kind: "failed", reason: "offline" };
    }
  },
};

const sockets: Sockets = {
  open(url, handlers) {
    const ws = new WebSocket(url);
    ws.on("open", handlers.opened);
    ws.on("message", (data: Buffer) => handlers.received(data.toString("utf8")));
    ws.on("close", handlers.closed);
    ws.on("error", () => undefined);
    return {
      send: (text) => ws.send(text),
      close(code) {
        ws.removeAllListeners();
        ws.on("error", () => undefined);
        ws.close(code);
      },
    };
  },
};

interface Device {
  readonly person: TestPerson;
  readonly client: Client;
}

let devices: Device[] = [];
afterEach(() => {
  for (const { client } of devices) client.close();
  devices = [];
});

/** All devices of a person have the same device number, because otherwise the server would end every login but the newest. */
async function logInDevice(person: TestPerson): Promise<Device> {
  const name = `${person.userName} ${devices.length}`;
  const ports = { ...createFakePorts({ name, origin: server.url }), clock, http, sockets };
  ports.storage.local.set("parley.device", `device of ${person.userName}`);
  const device = { person, client: createClient(ports) };
  devices.push(device);
  const form = {
    userName: person.userName,
    password: PASSWORD,
    rememberName: false,
    rememberPassword: false,
  };
  expect(await device.client.session.login(form)).toEqual({ ok: true, value: null });
  await until(() => expect(groupsOf(device).isLoaded && stateOf(device).contacts.isLoaded).toBe(true));
  return device;
}

const stateOf = ({ client }: Device) => client.getState();
const groupsOf = ({ client }: Device) => client.getState().groups;
const ascending = (a: number, b: number) => a - b;
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** Waits until every device shows what the server lists for its person. */
async function expectAgreement(): Promise<void> {
  for (const one of devices) {
    await until(async () => {
      const listed = await one.person.ok("listGroups");
      const { byId, order, requests, members } = groupsOf(one);
      // Former members get no more changes of a group.
      const inside = (all: typeof listed) => all.filter((group) => !group.quit).sort((a, b) => a.id - b.id);
      expect(inside(Object.values(byId))).toEqual(inside(listed));
      expect(requests.map(({ id }) => id).sort(ascending)).toEqual(
        (await one.person.ok("listGroupRequests")).map(({ id }) => id).sort(ascending),
      );
      for (const id of order.filter((groupId) => members[groupId] !== undefined)) {
        const shown = Object.values(members[id]?.byId ?? {}).sort((a, b) => a.userId - b.userId);
        const listedMembers = await one.person.ok("listGroupMembers", { params: { id } });
        expect(shown.filter(({ quit }) => !quit)).toEqual(
          listedMembers.filter(({ quit }) => !quit).sort((a, b) => a.userId - b.userId),
        );
      }
    });
  }
}

describe("groups on several devices", () => {
  test("G3 every device shows the state of the server, whoever acts", async () => {
    const [a, b, c] = [
      await registerPerson(server.url),
      await registerPerson(server.url),
      await registerPerson(server.url),
    ];
    await befriend(a, b);
    await befriend(a, c);
    await befriend(b, c);
    const [ann, annElsewhere, bob, eve] = [
      await logInDevice(a),
      await logInDevice(a),
      await logInDevice(b),
      await logInDevice(c),
    ];
    const created = await ann.client.groups.create({ name: "Climbers", memberIds: [b.id] });
    if (!created.ok) throw new Error("the group was not created");
    const { id } = created.value;
    await expectAgreement();
    for (const one of [ann, annElsewhere, bob]) expect(groupsOf(one).order).toEqual([id]);
    for (const one of [ann, annElsewhere, bob])
      expect((await one.client.groups.loadMembers(id)).ok).toBe(true);
    expect(
      (await ann.client.groups.setRights(id, { joinMode: JoinMode.APPROVAL, isFindable: true })).ok,
    ).toBe(true);
    expect((await ann.client.groups.modify(id, { name: "Walkers", notice: "Sunday" })).ok).toBe(true);
    await expectAgreement();
    expect((await eve.client.groups.apply(id, "please")).ok).toBe(true);
    await expectAgreement();
    expect((await ann.client.groups.setManagers(id, [b.id], true)).ok).toBe(true);
    await until(() => expect(groupsOf(bob).requests).toHaveLength(1));
    const [request] = groupsOf(bob).requests;
    expect((await bob.client.groups.approve(request?.id ?? 0)).ok).toBe(true);
    await expectAgreement();
    expect(groupsOf(eve).order).toEqual([id]);
    for (const one of [ann, annElsewhere, bob]) {
      const card = () =>
        stateOf(one).chats.byKey["SYSTEM:0"]?.window.messages.find(
          ({ system }) => system?.groupRequest?.groupId === id,
        )?.system?.groupRequest;
      await until(() => {
        one.client.chats.open("SYSTEM:0");
        // Bob became an admin after the request, so he has no message about it.
        expect(card()?.status).toBe(one === bob ? undefined : 2);
      });
    }
    expect((await bob.client.groups.setMuted(id, [c.id], true)).ok).toBe(true);
    expect((await bob.client.groups.setAllMuted(id, true)).ok).toBe(true);
    expect((await eve.client.groups.modify(id, { remarkNickName: "Evie", remarkGroupName: "Mine" })).ok).toBe(
      true,
    );
    expect((await annElsewhere.client.chats.setTop(`GROUP:${id}`, true)).ok).toBe(true);
    expect((await ann.client.chats.setAlerts(`GROUP:${id}`, 2)).ok).toBe(true);
    await expectAgreement();
    expect((await ann.client.groups.transfer(id, b.id)).ok).toBe(true);
    await expectAgreement();
    expect((await bob.client.groups.removeMembers(id, [c.id], true)).ok).toBe(true);
    await expectAgreement();
    expect(groupsOf(eve)).toMatchObject({ order: [], byId: { [id]: { quit: true } } });
    expect((await ann.client.groups.quit(id)).ok).toBe(true);
    await expectAgreement();
    expect((await bob.client.groups.dissolve(id)).ok).toBe(true);
    await expectAgreement();
    for (const one of devices) expect(groupsOf(one).order).toEqual([]);
    for (const one of [ann, annElsewhere]) expect(groupsOf(one).byId[id]).toMatchObject({ quit: true });
  });
});
