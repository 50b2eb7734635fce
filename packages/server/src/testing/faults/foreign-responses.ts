/**
 * Fault K25: what stands between a client and its server answers in its place, as the page of a hotel's network or a proxy that finds
 * nobody does, calls and sockets alike. Nothing of it is ever taken for data, for a refusal or for the end of a session.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { befriend, registerPerson, sendText } from "../test-person.ts";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

const PAGE = "<!doctype html><title>Welcome</title><p>Please accept our terms.</p>";

/** What such things answer, as bytes. */
export const FOREIGN_RESPONSES: Readonly<Record<string, string>> = {
  "a page with 200": answerOf("200 OK", "text/html", PAGE),
  "a page with 401": answerOf("401 Unauthorized", "text/html", PAGE),
  "a page with 403": answerOf("403 Forbidden", "text/html", PAGE),
  "a page with 502": answerOf("502 Bad Gateway", "text/html", PAGE),
  "504 without a word": answerOf("504 Gateway Timeout", "text/plain", ""),
  "a way elsewhere": answerOf("302 Found\r\nlocation: /terms", "text/html", ""),
  "200 without a word": answerOf("200 OK", "application/json", ""),
  "JSON of somebody else": answerOf("200 OK", "application/json", '{"status":"ok","code":200}'),
  "JSON that is no object": answerOf("200 OK", "application/json", "null"),
  "an envelope that ends before its length": `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"code":200,"message":"","data":{"id":1`,
  "an envelope cut short without a length": `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"code":400,"message":"","da`,
  "no HTTP at all": "\0\0\0\0SSH-2.0-dropbear\r\n",
};

function answerOf(status: string, type: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}

export interface ForeignResponsesOptions {
  url: string;
  answers: Readonly<Record<string, string>>;
}

export async function runForeignResponses({ url, answers }: ForeignResponsesOptions): Promise<Report> {
  const proxy = await startFaultProxy(url);
  const violations: string[] = [];
  const names = Object.keys(answers);
  try {
    for (const name of names) {
      const wrong = (what: string) => void violations.push(`${name}: ${what}`);
      try {
        await respondInstead(answers[name] ?? "", proxy, url, wrong);
      } catch (error) {
        wrong(error instanceof Error ? error.message : String(error));
      }
    }
  } finally {
    await proxy.close();
  }
  return {
    name: "K25 answers of somebody else",
    done: `${names.length} kinds, each to calls, to the socket's upgrade and to a refresh`,
    violations,
  };
}

async function respondInstead(
  fakeResponse: string,
  proxy: FaultProxy,
  url: string,
  wrong: (what: string) => void,
): Promise<void> {
  const [ann, bob] = [await registerPerson(url), await registerPerson(url)];
  await befriend(ann, bob);
  await sendText(bob, ann, "before");
  proxy.injectFaults(() => undefined);
  const device = await startDevice(ann, { name: `met ${ann.userName}`, url: proxy.url });
  await waitUntilIdle(device);
  const before = friendsOf(device);

  proxy.injectFaults(() => ({ fakeResponse }));
  proxy.resetConnections();
  // Until then its calls would take connections that are gone, and nobody would answer them.
  await waitUntil("it knows that its line is cut", () =>
    device.client.getState().connection.kind === "online" ? "still online" : undefined,
  );
  const asked = device.requests.length;
  // Its access token has ended, so that the first thing it asks for is another.
  const ended = await startDevice(ann, { name: `ended ${ann.userName}`, url: proxy.url, accessEndsAt: 0 });
  const { chats, contacts, groups } = device.client;
  chats.sendText(`PRIVATE:${bob.id}`, "meanwhile");
  const results = [
    await contacts.reload(),
    await contacts.setRemark(bob.id, "Bobby"),
    await contacts.loadUser(bob.id),
    await groups.search("any"),
    await device.client.session.changePassword("wrong-1234", "wrong-12345"),
  ];
  for (const result of results) {
    if (result.ok) wrong("it was taken for data");
    else if (!["network", "http"].includes(result.failure.kind))
      wrong(`it was taken for ${result.failure.kind}`);
  }
  for (const one of [device, ended]) {
    checkStill(one, wrong);
    one.client.session.reconnectNow();
    await waitUntil(
      "the connection was tried",
      () =>
        one.client.getState().connection.kind === "waiting"
          ? undefined
          : one.client.getState().connection.kind,
      TRIED_MS,
    );
    checkStill(one, wrong);
  }
  const isSeen = device.requests.slice(asked).some(({ status }) => status !== null);
  if (fakeResponse.startsWith("HTTP") && !isSeen) wrong("the client has not met it");
  if (!ended.requests.some(({ path }) => path.endsWith("/refreshToken"))) wrong("no refresh was tried");
  if (friendsOf(device) !== before) wrong("the friends are others now");
  await sendText(bob, ann, "from bob meanwhile");

  proxy.injectFaults(() => undefined);
  for (const one of [device, ended]) {
    one.client.session.reconnectNow();
    await waitUntilIdle(one);
    checkStill(one, wrong);
  }
  const fresh = await startDevice(ann, { name: `fresh ${ann.userName}`, url, storage: ended.storage });
  await waitUntilIdle(fresh);
  const texts = () =>
    fresh.client.getState().chats.byKey[`PRIVATE:${bob.id}`]?.window.messages.map(({ content }) => content) ??
    [];
  await waitUntil("what was written has gone out", () =>
    texts().includes("meanwhile") ? undefined : `only ${texts().join(", ")} is there`,
  );
  await waitUntil("all show the same", () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)));
  for (const one of [device, ended, fresh]) one.stop();
}

const TRIED_MS = 5_000;

function checkStill({ client, notices }: ClientDevice, wrong: (what: string) => void): void {
  const { session, chats } = client.getState();
  if (session.kind !== "active") wrong(`the session is ${JSON.stringify(session)}`);
  const failed = Object.values(chats.byKey).flatMap(({ window }) =>
    window.messages.filter(({ sending }) => sending === "failed"),
  );
  if (failed.length > 0) wrong("a message counts as refused");
  const refused = notices.filter((notice) => notice.kind === "failure" && notice.failure.kind === "refused");
  if (refused.length > 0) wrong(`a refusal is told: ${JSON.stringify(refused[0])}`);
}

function friendsOf({ client }: ClientDevice): string {
  return JSON.stringify(client.getState().contacts.friends);
}

/** A planted client's world: an answer that is an envelope, and says that the session is over. */
export const MISTAKEN_FOR_OURS = answerOf(
  "200 OK",
  "application/json",
  JSON.stringify({ code: 400, message: "", data: null, key: "auth.notLoggedIn" }),
);
