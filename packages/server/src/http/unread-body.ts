/**
 * Answers to requests whose body has not been read, such as a large upload without a token. Closing the connection at once would destroy
 * the answer on its way, and a browser reads no answer before it has sent the body.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { BODY_MAX_BYTES } from "@parley/protocol/limits";

/** How much of a body is read and dropped after an answer, before the connection is closed. */
const DROPPED_MAX_BYTES = 134_217_728;
const DROPPING_MAX_MS = 60_000;

/** Requests that wait for `100 Continue` before they send their body. */
const waiting = new WeakSet<IncomingMessage>();

/** Notes that the client sends its body only after `100 Continue`. */
export function noteWaiting(request: IncomingMessage): void {
  waiting.add(request);
}

/** Whether the client still waits; from now on it does not. */
export function takeWaiting(request: IncomingMessage): boolean {
  return waiting.delete(request);
}

/** Whether a body arrives that nobody reads. The HTTP server itself drops small ones and keeps the connection. */
export function isBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return encoding !== undefined || Number(length ?? 0) > BODY_MAX_BYTES;
}

/** The text as a stream that ends when the body was dropped, or too much of it or for too long. Then the connection can be closed. */
export function answerAndDrop(request: IncomingMessage, text: string): Readable {
  const answer = new Readable({ read: () => undefined });
  answer.push(text);
  if (waiting.has(request)) {
    answer.push(null);
    return answer;
  }
  let dropped = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off("data", drop).off("end", finish).off("close", finish);
    if (!answer.destroyed && !answer.readableEnded) answer.push(null);
  };
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DROPPED_MAX_BYTES) finish();
  };
  const timer = setTimeout(finish, DROPPING_MAX_MS);
  timer.unref();
  request.on("data", drop).on("end", finish).on("close", finish);
  request.on("error", () => undefined);
  answer.once("close", finish);
  request.resume();
  return answer;
}
