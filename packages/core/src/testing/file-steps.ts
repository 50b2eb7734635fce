import type { ChatKey, ChatMessage } from "../model/state.ts";
import type { HttpResponse } from "../ports.ts";
import { FRIEND_CHAT, outgoingFile } from "./builders.ts";
import { bodyOf, type HttpExchange } from "./fake-http.ts";
import { clockOf } from "./fake-ports.ts";
import { createFakeTabs, type FakeTabs } from "./fake-tabs.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";
import { createSingleClient, sentRow, type SingleClient } from "./single-client.ts";

/** What tests do with a client that sends files, and the answers of its server. */

const SEND = "/message/private/send";

/** The messages of a chat that the client has in memory. */
export function messagesOf({ client }: SingleClient, key = FRIEND_CHAT): readonly ChatMessage[] {
  return client.getState().chats.byKey[key]?.window.messages ?? [];
}

/** Each message with the name of its file, or its content, and whether it is being sent. */
export function sendingOf(single: SingleClient, key = FRIEND_CHAT): string[] {
  return messagesOf(single, key).map(
    ({ upload, content, sending }) => `${upload?.name ?? content} ${sending}`,
  );
}

/** The requests that upload files and wait for an answer. */
export function uploadRequests({ ports }: SingleClient): HttpExchange[] {
  return ports.http.waiting.filter(({ request }) => typeof request.body === "object");
}

/** The names of the files that are being uploaded. */
export function uploading(single: SingleClient): (string | undefined)[] {
  return uploadRequests(single).map(nameOf);
}

function nameOf({ request }: HttpExchange): string | undefined {
  return typeof request.body === "object" ? request.body[0]?.name : undefined;
}

/** The upload of a file. */
export function uploadOf(single: SingleClient, name: string): HttpExchange {
  const found = uploadRequests(single).find((exchange) => nameOf(exchange) === name);
  if (found === undefined) throw new Error(`${name} is not being uploaded`);
  return found;
}

/** The private messages that wait for an answer of the server. */
export function sends({ ports }: SingleClient): { content: string; tmpId: string; type: number }[] {
  return ports.http.waiting
    .filter(({ request }) => request.url.endsWith(SEND))
    .map(({ request }) => bodyOf(request) as { content: string; tmpId: string; type: number });
}

/** Sends files. */
export async function sendFiles(
  { client }: SingleClient,
  names: readonly string[],
  key: ChatKey = FRIEND_CHAT,
): Promise<void> {
  client.chats.sendFiles(
    key,
    names.map((name) => outgoingFile(name)),
  );
  await flushMicrotasks();
}

/** Answers an upload. */
export async function answerUpload(
  single: SingleClient,
  name: string,
  data: unknown = `/files/x/${name}`,
): Promise<void> {
  await answerUploadWith(single, name, { code: 200, message: "", data });
}

/** Answers an upload with an envelope. */
export async function answerUploadWith(single: SingleClient, name: string, envelope: object): Promise<void> {
  const text = JSON.stringify(envelope);
  const answer: HttpResponse = { kind: "answer", status: 200, text, retryAfterSeconds: null };
  single.ports.http.finish(uploadOf(single, name), answer);
  await flushMicrotasks();
}

/** Refuses an upload. */
export async function refuseUpload(single: SingleClient, name: string, key: string): Promise<void> {
  await answerUploadWith(single, name, { code: 500, message: "no", data: null, key, params: {} });
}

/** Breaks an upload off, as the loss of the connection does. */
export async function breakUpload(single: SingleClient, name: string): Promise<void> {
  single.ports.http.finish(uploadOf(single, name), { kind: "failed", reason: "offline" });
  await flushMicrotasks();
  clockOf(single.ports).advance(500);
  await flushMicrotasks();
}

/** Answers the first message that waits. */
export async function answerSend(single: SingleClient, id: number): Promise<void> {
  const [send] = sends(single);
  if (send === undefined) throw new Error("no message is being sent");
  await single.respond(SEND, { ...sentRow(id, send.tmpId, send.content), type: send.type });
}

/** Refuses the first message that waits. */
export async function refuseSend(single: SingleClient, key: string): Promise<void> {
  const text = JSON.stringify({ code: 500, message: "", data: null, key, params: {} });
  single.ports.http.replyRaw(SEND, { kind: "answer", status: 200, text, retryAfterSeconds: null });
  await flushMicrotasks();
}

/** Leaves the first message that waits without an answer. */
export async function loseSend(single: SingleClient): Promise<void> {
  single.ports.http.replyRaw(SEND, { kind: "failed", reason: "offline" });
  await flushMicrotasks();
}

/** The same person in the same tab after a reload. */
export async function reloadPage(
  single: SingleClient,
  device: FakeTabs = createFakeTabs(),
): Promise<SingleClient> {
  single.client.close();
  await flushMicrotasks();
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again", device });
  await again.client.session.resume();
  return again;
}
