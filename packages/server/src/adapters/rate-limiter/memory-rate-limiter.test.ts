import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CONTRACT_RATES, rateLimiterContract } from "../../testing/contracts/rate-limiter-contract.ts";
import { BODY_END, partHead, startUpload } from "../../testing/raw-upload.ts";
import { createTestApp } from "../../testing/test-app.ts";
import { registerPerson, logIn, request } from "../../testing/test-person.ts";
import { createRateLimiter } from "./memory-rate-limiter.ts";

const TOO_MANY = 429;

describe("rate limits in memory", () => {
  rateLimiterContract(async () => createRateLimiter(CONTRACT_RATES));
});

test("RATE_LIMITS sets the limits of sends, logins, registrations and uploads", async () => {
  await using server = await createTestApp({
    env: { RATE_LIMITS: "sends=1/s:3,logins=2/m,registrations=2/h,uploads=1/10s" },
  });
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  const json = { "content-type": "application/json" };
  const account = { terminal: 2, userName: "third", nickName: "Third", password: "password-1" };
  const third = await request(server.url, "/register", {
    method: "POST",
    headers: json,
    body: JSON.stringify(account),
  });
  expect(third.status).toBe(TOO_MANY);
  // The hour began with the first registration.
  const retryAfter = Number(third.headers.get("retry-after"));
  expect(retryAfter).toBeLessThanOrEqual(3_600);
  expect(retryAfter).toBeGreaterThan(3_000);

  const note = (n: number) =>
    a.call("sendPrivateMessage", { body: { recvId: a.id, type: 0, content: String(n) } });
  const sent = [await note(1), await note(2), await note(3), await note(4)];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, TOO_MANY]);
  server.clock.advance(1_000);
  expect([(await note(5)).status, (await note(6)).status]).toEqual([200, TOO_MANY]);

  const tryWrong = async () => {
    const body = JSON.stringify({ terminal: 2, userName: b.userName, password: "not-the-one" });
    return (await request(server.url, "/login", { method: "POST", headers: json, body })).status;
  };
  expect([await tryWrong(), await tryWrong(), await tryWrong()]).toEqual([200, 200, TOO_MANY]);
  await expect(logIn(server.url, b.userName)).rejects.toThrow("429");

  const upload = async () => {
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(8)]), "x.png");
    const headers = { accessToken: a.tokens.accessToken };
    const { status, envelope } = await request(server.url, "/image/upload", {
      method: "POST",
      headers,
      body,
    });
    return [status, envelope.key];
  };
  expect([await upload(), await upload()]).toEqual([
    [200, "upload.type"],
    [TOO_MANY, "request.tooMany"],
  ]);
});

test("L22 as many uploads as in one period may be under way, and another one when one has ended", async () => {
  await using server = await createTestApp({ env: { RATE_LIMITS: "uploads=2/s" } });
  const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
  const start = async (person: typeof a) => {
    const upload = startUpload(person, "/file/upload");
    await upload.write(partHead() + "x".repeat(10_000));
    return upload;
  };
  const finish = async (upload: Awaited<ReturnType<typeof start>>) => {
    await upload.write(BODY_END);
    upload.end();
    return (await upload.answer).status;
  };
  const [first, second] = [await start(a), await start(a)];
  // The next period has begun, and these two still hold their places.
  await delay(1_200);
  expect((await (await start(a)).answer).envelope.key).toBe("request.tooMany");
  expect(await finish(await start(b))).toBe(200);
  expect(await finish(first)).toBe(200);
  second.request.destroy();
  await delay(1_200);
  const [third, fourth] = [await start(a), await start(a)];
  expect([await finish(third), await finish(fourth)]).toEqual([200, 200]);
});
