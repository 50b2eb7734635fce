/**
 * Fault K25: something between the client and its server answers calls and socket upgrades, such as the login page of a hotel's network
 * or a proxy without its upstream. The client must never take this for data, for an API error or for the end of the session.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { befriend, registerPerson, sendText } from "@parley/server/testing/test-person";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

const PAGE = "<!doctype html><title>Welcome</title><p>Please accept our terms.</p>";

/** Such answers, as bytes. */
export const FOREIGN_RESPONSES: Readonly<Record<string, string>> = {
  "a page with 200": answerOf("200 OK", "text/html", PAGE),
  "a page with 401": answerOf("401 Unauthorized", "text/html", PAGE),
  "a page with 403": answerOf("403 Forbidden", "text/html", PAGE),
  "a page with 502": answerOf("502 Bad Gateway", "text/html", PAGE),
  "504 with an empty body": answerOf("504 Gateway Timeout", "text/plain", ""),
  "a redirect": answerOf("302 Found\r\nlocation: /terms", "text/html", ""),
  "200 with an empty body": answerOf("200 OK", "application/json", ""),
  "JSON of another program": answerOf("200 OK", "application/json", '{"status":"ok","code":200}'),
  "JSON that is not an object": answerOf("200 OK", "application/json", "null"),
  "an envelope that ends before its length": `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"code":200,"message":"","data":{"id":1`,
  "an envelope cut short without a length": `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"code":400,"message":"","da`,
  "no HTTP at all": "\0\0\0\0SSH-2.0-dropbear\r\n",
};

function answerOf(status: string, type: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}

/** The server and the foreign answers by name. */
export interface ForeignResponsesOptions {
  url: string;
  answers: Readonly<Record<string, string>>;
}

/** Runs the battery. */
export async function runForeignResponses({ url, answers }: ForeignResponsesOptions): Promise<Report> {
  const proxy = await startFaultProxy(url);
  const violations: string[] = [];
  const names = Object.keys(answers);
  try {
    for (const name of names) {
      const addViolation = (what: string) => void violations.push(`${name}: ${what}`);
      try {
        await respondInstead(answers[name] ?? "", proxy, url, addViolation);
      } catch (error) {
        addViolation(error instanceof Error ? error.message : String(error));
      }
    }
  } finally {
    await proxy.close();
  }
  return {
    name: "K25 answers of another program",
    done: `${names.length} kinds, each to calls, to the socket's upgrade and to a refresh`,
    violations,
  };
}

async function respondInstead(
  fakeResponse: string,
  proxy: FaultProxy,
  url: string,
  addViolation: (what: string) => void,
): Promise<void> {
  const [ann, bob] = [await registerPerson(url), await registerPerson(url)];
  await befriend(ann, bob);
  await sendText(bob, ann, "before");
  proxy.injectFaults(() => undefined);
  const device = await startDevice(ann, { name: `online ${ann.userName}`, url: proxy.url });
  await waitUntilIdle(device);
  const before = friendsOf(device);

  proxy.injectFaults(() => ({ fakeResponse }));
  proxy.resetConnections();
  // Before that, its calls would use closed connections and get no answer at all.
  await waitUntil("the client notices that its connection is cut", () =>
    device.client.getState().connection.kind === "online" ? "still online" : undefined,
  );
  const requestsBefore = device.requests.length;
  // Its access token has expired, so its first request is a refresh.
  const expired = await startDevice(ann, {
    name: `expired ${ann.userName}`,
    url: proxy.url,
    accessEndsAt: 0,
  });
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
    if (result.ok) addViolation("the answer was taken for data");
    else if (!["network", "http"].includes(result.failure.kind))
      addViolation(`the answer was taken for ${result.failure.kind}`);
  }
  for (const one of [device, expired]) {
    checkStillSignedIn(one, addViolation);
    one.client.session.reconnectNow();
    await waitUntil(
      "the connection was tried",
      () =>
        one.client.getState().connection.kind === "waiting"
          ? undefined
          : one.client.getState().connection.kind,
      RECONNECT_WITHIN_MS,
    );
    checkStillSignedIn(one, addViolation);
  }
  const isSeen = device.requests.slice(requestsBefore).some(({ status }) => status !== null);
  if (fakeResponse.startsWith("HTTP") && !isSeen) addViolation("the client has not received the answer");
  if (!expired.requests.some(({ path }) => path.endsWith("/refreshToken")))
    addViolation("no refresh was tried");
  if (friendsOf(device) !== before) addViolation("the friends have changed");
  await sendText(bob, ann, "from bob meanwhile");

  proxy.injectFaults(() => undefined);
  for (const one of [device, expired]) {
    one.client.session.reconnectNow();
    await waitUntilIdle(one);
    checkStillSignedIn(one, addViolation);
  }
  const fresh = await startDevice(ann, { name: `fresh ${ann.userName}`, url, storage: expired.storage });
  await waitUntilIdle(fresh);
  const texts = () =>
    fresh.client.getState().chats.byKey[`PRIVATE:${bob.id}`]?.window.messages.map(({ content }) => content) ??
    [];
  await waitUntil("the waiting message is sent", () =>
    texts().includes("meanwhile") ? undefined : `only ${texts().join(", ")} is stored`,
  );
  await waitUntil("a new device and the old one show the same", () =>
    firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
  );
  for (const one of [device, expired, fresh]) one.stop();
}

const RECONNECT_WITHIN_MS = 5_000;

function checkStillSignedIn({ client, notices }: ClientDevice, addViolation: (what: string) => void): void {
  const { session, chats } = client.getState();
  if (session.kind !== "active") addViolation(`the session is ${JSON.stringify(session)}`);
  const failed = Object.values(chats.byKey).flatMap(({ window }) =>
    window.messages.filter(({ sending }) => sending === "failed"),
  );
  if (failed.length > 0) addViolation("a message is shown as failed");
  const refused = notices.filter((notice) => notice.kind === "failure" && notice.failure.kind === "refused");
  if (refused.length > 0) addViolation(`an API error is shown: ${JSON.stringify(refused[0])}`);
}

function friendsOf({ client }: ClientDevice): string {
  return JSON.stringify(client.getState().contacts.friends);
}

/** A planted fault: a valid envelope with the error that the session is over. */
export const SESSION_OVER_RESPONSE = answerOf(
  "200 OK",
  "application/json",
  JSON.stringify({ code: 400, message: "", data: null, key: "auth.notLoggedIn" }),
);
