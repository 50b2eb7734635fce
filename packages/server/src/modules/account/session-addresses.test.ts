import { describe, expect, test, vi } from "vitest";
import type { TokenPair } from "@parley/protocol/entities";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { eventually } from "../../testing/eventually.ts";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { PASSWORD, TestPerson, registerPerson, request } from "../../testing/test-person.ts";
import { TestSocket } from "../../testing/test-socket.ts";

describe("the address of a session", () => {
  const startProxied = () => createTestApp({ env: { TRUST_PROXY: "on", RATE_LIMITS: "off" } });
  /** What the proxy adds to what a client claims. */
  const through = (ip: string) => ({ "x-forwarded-for": `198.51.100.9, ${ip}` });
  const logInFrom = async (url: string, ip: string) => {
    const { id, userName } = await registerPerson(url);
    const { envelope } = await request(url, "/login", {
      method: "POST",
      headers: { "content-type": "application/json", ...through(ip) },
      body: JSON.stringify({ terminal: 1, userName, password: PASSWORD }),
    });
    return new TestPerson(url, id, userName, envelope.data as TokenPair, { terminal: 1 });
  };
  const connectFrom = async ({ url, tokens }: TestPerson, ip: string) => {
    const socket = await TestSocket.open(url, { headers: through(ip) });
    socket.login({ accessToken: tokens.accessToken });
    await socket.next((frame) => frame.cmd === 0);
    return socket;
  };
  const minute = ({ app, clock }: TestApp) => {
    clock.advance(60_001);
    app.sweep();
  };
  /** In the person's own list, and in that of an administrator, which shows what is stored. */
  const addressesOf = async ({ dataDir }: TestApp, person: TestPerson) => {
    const mine = (await person.ok("listSessions")).find(({ current }) => current);
    const query = { userId: String(person.id) };
    const answer = await sendAdminCommand(dataDir, { name: "call", call: "listPersonSessions", query });
    if (answer === undefined || "error" in answer) throw new Error(JSON.stringify(answer));
    const shown = JSON.parse(answer.text) as { id: string; address: string | null }[];
    return [mine?.address, shown.find(({ id }) => id === mine?.id)?.address];
  };

  test("S23 is the one that the trusted proxy names, at the login, at a refresh and at a socket login", async () => {
    await using proxied = await startProxied();
    const person = await logInFrom(proxied.url, "203.0.113.1");
    expect(await addressesOf(proxied, person)).toEqual(["203.0.113.1", "203.0.113.1"]);

    proxied.clock.advance(1_000);
    const { envelope } = await request(proxied.url, "/refreshToken", {
      method: "PUT",
      headers: { refreshToken: person.tokens.refreshToken, ...through("203.0.113.2") },
    });
    expect(envelope.code).toBe(200);
    expect(await addressesOf(proxied, person)).toEqual(["203.0.113.2", "203.0.113.2"]);

    proxied.clock.advance(1_000);
    const socket = await connectFrom(person, "203.0.113.3");
    expect(await addressesOf(proxied, person)).toEqual(["203.0.113.3", "203.0.113.2"]);
    minute(proxied);
    await eventually(async () =>
      expect(await addressesOf(proxied, person)).toEqual(["203.0.113.3", "203.0.113.3"]),
    );
    socket.close();
  });

  test.each([
    ["2001:db8:1:2::7", "2001:db8:1:2::7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
  ])("S23 %s is shown as %s after a login and after a socket login", async (address, shown) => {
    await using proxied = await startProxied();
    const person = await logInFrom(proxied.url, address);
    expect(await addressesOf(proxied, person)).toEqual([shown, shown]);
    const socket = await connectFrom(person, address);
    expect(await addressesOf(proxied, person)).toEqual([shown, shown]);
    socket.close();
  });

  test("S23 is stored once, along with the sign of life that is stored anyway", async () => {
    await using proxied = await startProxied();
    const person = await logInFrom(proxied.url, "203.0.113.1");
    const { store } = proxied.app;
    const stored: (string | null)[] = [];
    const write = store.write.bind(store);
    vi.spyOn(store, "write").mockImplementation((work) =>
      write((tx) =>
        work({
          ...tx,
          touchSessions(uses) {
            stored.push(...uses.map(([, , address]) => address));
            return tx.touchSessions(uses);
          },
        }),
      ),
    );
    // The session of the registration was used too, and has nothing to store but its time.
    minute(proxied);
    await eventually(() => expect(stored.length).toBeGreaterThan(0));
    await proxied.app.settle();
    stored.length = 0;
    const socket = await connectFrom(person, "203.0.113.3");
    minute(proxied);
    await eventually(() => expect(stored).toEqual(["203.0.113.3"]));
    await proxied.app.settle();
    await person.ok("self");
    minute(proxied);
    await eventually(() => expect(stored).toEqual(["203.0.113.3", null]));
    socket.close();
    vi.restoreAllMocks();
  });
});
