import { setImmediate as turn } from "node:timers/promises";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { createRateLimiter } from "../../adapters/rate-limiter/memory-rate-limiter.ts";
import { DEFAULT_RATE_LIMITS } from "../../adapters/rate-limiter/rate-limits.ts";
import { ApiError, malformedField } from "../../api/api-error.ts";
import type { PictureEncoder, PictureJob, PictureOutcome } from "../../ports/picture-encoder.ts";
import { type PictureSender, createPictures } from "./pictures.ts";

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
});

const ENCODED: PictureOutcome = {
  kind: "encoded",
  picture: {
    data: Buffer.from("x"),
    extension: "png",
    width: 8,
    height: 8,
    thumb: Buffer.from("y"),
    placeholder: "",
  },
};

/** An encoder whose pictures end when the test says so. */
function heldEncoder() {
  const running: { job: PictureJob; end(outcome?: PictureOutcome): void }[] = [];
  const encoder: PictureEncoder = {
    encode(job, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<PictureOutcome>();
      const one = { job, end: (outcome: PictureOutcome = ENCODED) => resolve(outcome) };
      running.push(one);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      return promise.finally(() => running.splice(running.indexOf(one), 1));
    },
    close: () => Promise.resolve(),
  };
  const efforts = () => running.map(({ job }) => job.effort);
  return { encoder, running, efforts };
}

/** A server that encodes pictures, and how people send some. */
function createServer(rateLimiter = createRateLimiter(DEFAULT_RATE_LIMITS)) {
  const held = heldEncoder();
  const pictures = createPictures(held.encoder, rateLimiter);
  const send = (from: Partial<PictureSender>, bytes = png.length) => {
    const abort = new AbortController();
    const sender = { userId: null, network: "192.0.2.1", signal: abort.signal, ...from };
    const done = pictures.process({ bytes, type: "png", load: () => Promise.resolve(png) }, sender).then(
      () => "encoded",
      (error: unknown) => (error instanceof ApiError ? error.key : String(error)),
    );
    return { done, hangUp: () => abort.abort(malformedField("body", "nobody waits")) };
  };
  return { ...held, pictures, send };
}

const LARGE = 5_000_000;

/** Lets everything happen that waits for nothing outside. */
async function settle(): Promise<void> {
  for (let n = 0; n < 5; n++) await turn();
}

test("L23 a small picture does not wait for large ones, nor for those of somebody else", async () => {
  const { running, efforts, pictures, send } = createServer();
  for (let userId = 1; userId <= 8; userId++) send({ userId }, LARGE);
  for (let n = 0; n < 8; n++) send({ userId: 9 });
  await settle();
  expect(efforts().filter((effort) => effort === "small")).toEqual(["small"]);
  expect(efforts()).toContain("large");
  const waiting = pictures.waiting();
  const small = send({ userId: 10 });
  await settle();
  expect(pictures.waiting()).toBe(waiting);
  running.at(-1)?.end();
  expect(await small.done).toBe("encoded");
});

test("L23 a picture that turns out to be large goes on among the large ones, one of each sender at a time", async () => {
  const { running, efforts, send } = createServer();
  const sent = [send({ userId: 1 }), send({ userId: 1 })];
  await settle();
  expect(efforts()).toEqual(["small"]);
  running[0]?.end({ kind: "large" });
  await settle();
  expect(efforts().toSorted()).toEqual(["large", "small"]);
  for (const { end } of running) end({ kind: "large" });
  await settle();
  // A picture that takes too long all the same is refused.
  expect(await sent[0]?.done).toBe("upload.tooComplex");
  expect(efforts()).toEqual(["large"]);
  running[0]?.end({ kind: "tooLong" });
  expect(await sent[1]?.done).toBe("upload.tooComplex");
});

test("L24 an address without an account has two pictures here at once, people have as many as they may send", async () => {
  const { running, send, pictures } = createServer();
  const sent = [send({}), send({}), send({})];
  expect(await sent[2]?.done).toBe("request.tooMany");
  const other = send({ network: "192.0.2.2" });
  const people = Array.from({ length: 10 }, () => send({ userId: 1 }));
  while (running.length > 0 || pictures.waiting() > 0) {
    running[0]?.end();
    await settle();
  }
  expect(await Promise.all([...sent, other, ...people].map(({ done }) => done))).toEqual([
    "encoded",
    "encoded",
    "request.tooMany",
    ...Array.from({ length: 11 }, () => "encoded"),
  ]);
  const again = send({});
  await settle();
  running[0]?.end();
  expect(await again.done).toBe("encoded");
});

test("L24 without rate limits an address has as many pictures as it sends", async () => {
  const { running, send, pictures } = createServer(createRateLimiter(false));
  const sent = [send({}), send({}), send({})];
  while (running.length > 0 || pictures.waiting() > 0) {
    running[0]?.end();
    await settle();
  }
  expect(await Promise.all(sent.map(({ done }) => done))).toEqual(["encoded", "encoded", "encoded"]);
});

test("L24 without an account a picture may have 2048 x 2048 pixels, with one 50 million", async () => {
  const { running, send } = createServer();
  send({});
  send({ userId: 1 });
  await settle();
  expect(running.map(({ job }) => job.pixelsMax)).toEqual([4_194_304, 50_000_000]);
});

test("L25 a person who has hung up leaves the queue, and the place in front of it", async () => {
  const { running, efforts, pictures, send } = createServer();
  const sent = Array.from({ length: 8 }, (_, n) => send({ userId: n + 1 }, LARGE));
  await settle();
  const last = send({ userId: 9 }, LARGE);
  for (const { hangUp } of sent) hangUp();
  expect(await Promise.all(sent.map(({ done }) => done))).toEqual(sent.map(() => "request.malformed"));
  await settle();
  expect([efforts(), pictures.waiting()]).toEqual([["large"], 0]);
  running[0]?.end();
  expect(await last.done).toBe("encoded");
});
