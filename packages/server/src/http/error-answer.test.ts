import { expect, test } from "vitest";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { createTestApp } from "../testing/test-app.ts";
import { request } from "../testing/test-person.ts";

test("of many refusals the log has one of each network and route in ten seconds, with the number of the others", async () => {
  await using server = await createTestApp({
    env: { LOG_LEVEL: "info", TRUST_PROXY: "1", RATE_LIMITS: "requests=1/s:10" },
  });
  const { loadGlobalSetting, login } = ENDPOINTS;
  const call = async ({ method, path }: typeof loadGlobalSetting | typeof login, address: string) =>
    (await request(server.url, path, { method, headers: { "x-forwarded-for": address } })).status;
  expect([
    await call(loadGlobalSetting, "2001:db8::1"),
    await call(loadGlobalSetting, "2001:db8::1"),
    await call(loadGlobalSetting, "2001:db8::2"),
    await call(login, "2001:db8::3"),
    await call(loadGlobalSetting, "192.0.2.1"),
    await call(loadGlobalSetting, "192.0.2.1"),
  ]).toEqual([200, 429, 429, 429, 200, 429]);
  server.clock.advance(10_000);
  expect([
    await call(loadGlobalSetting, "2001:db8::4"),
    await call(loadGlobalSetting, "2001:db8::4"),
  ]).toEqual([200, 429]);
  const lines = server.logs.map(
    (line) => JSON.parse(line) as { msg: string; address: string; route: string; leftOut?: number },
  );
  const refusals = lines.filter(({ msg }) => msg === "refused");
  expect(refusals.map(({ address, route, leftOut }) => [address, route, leftOut ?? 0])).toEqual([
    ["2001:db8::1", `/api${loadGlobalSetting.path}`, 0],
    ["2001:db8::3", `/api${login.path}`, 0],
    ["192.0.2.1", `/api${loadGlobalSetting.path}`, 0],
    ["2001:db8::4", `/api${loadGlobalSetting.path}`, 1],
  ]);
});
