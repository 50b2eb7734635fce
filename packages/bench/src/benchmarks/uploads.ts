import { type ClientRequest, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Cmd } from "@parley/protocol/codes";
import sharp, { type Sharp } from "sharp";
import type { Benchmark, BenchmarkContext, ResultRow } from "../benchmark.ts";
import { createFriendPairs } from "../friend-pairs.ts";
import { openHttpConnection } from "../load/http-connection.ts";
import { openSocket } from "../load/socket.ts";
import { median, medianRatio } from "../median.ts";
import { type ServerProcess, startProduct, startReference } from "../process/server-process.ts";
import { subfolder, withProfile } from "./setup.ts";

const MIB = 1_048_576;
const BOUNDARY = "bench-boundary";
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;
const ROUNDS = 7;
const ROUND_MIB = 192;
const LARGE_MIB = 1_024;
const PICTURES = 10;
const LATENCY_ROUNDS = 5;
const MESSAGES = 40;
const BETWEEN_MESSAGES_MS = 10;
const HOSTILE_PICTURES = 8;
const SMALL_PICTURES = 40;

/** Uploads: throughput, memory, and what other people notice of pictures that are processed. */
export const uploads: Benchmark = {
  name: "uploads",
  async measure(context): Promise<ResultRow[]> {
    const product = await startProduct(subfolder(context, "product"), {
      UPLOAD_MAX_MB: "2048",
      UPLOAD_DAILY_MB: "1000000",
    });
    context.onEnd(() => product.stop());
    const reference = await startReference("uploads", { DATA_DIR: subfolder(context, "reference") });
    context.onEnd(() => reference.stop());
    const [pair, ...others] = await createFriendPairs(product.origin, 1 + HOSTILE_PICTURES);
    if (pair === undefined) throw new Error("there is no pair of friends");
    const { headers } = pair;

    const store = (mib: number) => uploadBytes(product, "/api/file/upload", headers, mib);
    const storeBare = (mib: number) => uploadBytes(reference, "/upload", {}, mib);
    for (const warmUp of [store, storeBare]) await warmUp(64);
    const before = await product.callChild("memory");
    let largeSeconds = 0;
    await withProfile(context, product, "upload", async () => {
      largeSeconds = await store(LARGE_MIB);
    });
    const after = await product.callChild("memory");
    const grown = (after.rss - before.rss) / 1_024;
    context.print(`uploads: ${LARGE_MIB} MiB in ${largeSeconds.toFixed(1)} s, ${Math.round(grown)} KiB more`);

    const speeds: Record<"product" | "reference", number[]> = { product: [], reference: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      speeds.product.push(ROUND_MIB / (await store(ROUND_MIB)));
      speeds.reference.push(ROUND_MIB / (await storeBare(ROUND_MIB)));
      context.print(
        `uploads, round ${round} of ${ROUNDS}: ${speedOf(speeds.product)} against ${speedOf(speeds.reference)}`,
      );
    }

    const latencies = await measureLatency(context, product, pair);
    const pictures = await measurePictures(
      product,
      headers,
      others.map((other) => other.headers),
    );
    return [
      {
        what: "upload of a file, bytes per second : a bare stream to the disk",
        product: `${Math.round(median(speeds.product))} MiB/s`,
        reference: `${Math.round(median(speeds.reference))} MiB/s`,
        value: medianRatio(speeds.product, speeds.reference),
        unit: "x",
        bound: "at least",
        limit: 0.8,
      },
      {
        what: "resident memory after an upload of 1 GiB: more than before",
        product: `${(after.rss / MIB).toFixed(1)} MiB`,
        reference: `${(before.rss / MIB).toFixed(1)} MiB (before)`,
        value: grown,
        unit: "KiB",
        bound: "at most",
        limit: 50 * 1_024,
      },
      {
        what: `a message until its push, ${PICTURES} pictures of 20 megapixels meanwhile : none`,
        product: `${median(latencies.busy).toFixed(1)} ms`,
        reference: `${median(latencies.idle).toFixed(1)} ms (none)`,
        value: medianRatio(latencies.busy, latencies.idle),
        unit: "x",
        bound: "at most",
        limit: 2,
      },
      {
        what: `a picture of 8 x 8 until its answer, ${HOSTILE_PICTURES} people send WebP of 7,000 x 7,000 meanwhile : alone`,
        product: `${median(pictures.beside).toFixed(1)} ms`,
        reference: `${median(pictures.alone).toFixed(1)} ms (alone)`,
        value: median(pictures.beside) / median(pictures.alone),
        unit: "x",
        bound: "at most",
        limit: 3,
      },
    ];
  },
};

const speedOf = (speeds: readonly number[]) => `${Math.round(speeds.at(-1) ?? 0)} MiB/s`;

/** Starts a request with one file. */
function startUpload(
  { origin }: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
  bytes: number,
): { outgoing: ClientRequest; answered: Promise<void> } {
  const outgoing = request(`${origin}${path}`, {
    method: "POST",
    agent: false,
    headers: {
      ...headers,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": String(HEAD.length + bytes + TAIL.length),
    },
  });
  const answered = new Promise<void>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () => {
        if (text === "stored" || text.startsWith('{"code":200')) resolve();
        else reject(new Error(`an upload was answered ${text.slice(0, 300)}`));
      });
    });
  });
  outgoing.write(HEAD);
  return { outgoing, answered };
}

/** Uploads a file of this size and returns the seconds until it was answered. */
export async function uploadBytes(
  server: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
  mib: number,
): Promise<number> {
  const piece = Buffer.alloc(MIB, "not compressible on any disk, as far as we know. ");
  const began = performance.now();
  const { outgoing, answered } = startUpload(server, path, headers, mib * MIB);
  for (let sent = 0; sent < mib; sent++) {
    if (!outgoing.write(piece)) await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  outgoing.end(TAIL);
  await answered;
  return (performance.now() - began) / 1_000;
}

interface Latencies {
  /** Milliseconds, the median of each round. */
  idle: number[];
  busy: number[];
}

/** Sends messages one after the other, in turn without and with pictures of another request that are being processed. */
async function measureLatency(
  context: BenchmarkContext,
  product: ServerProcess,
  { headers, peer, recvId }: Awaited<ReturnType<typeof createFriendPairs>>[number],
): Promise<Latencies> {
  const { origin } = product;
  let onPush = () => {};
  const prefix = `{"cmd":${Cmd.PRIVATE},`;
  const socket = await openSocket(origin, peer, (frame) => {
    if (frame.toString("latin1", 0, prefix.length) === prefix) onPush();
  });
  const connection = await openHttpConnection(origin, "/api/message/private/send", headers);
  let serial = 0;
  const sendOne = async (): Promise<number> => {
    const pushed = new Promise<void>((resolve) => (onPush = resolve));
    const body = JSON.stringify({ recvId, content: "hello", type: 0, tmpId: `latency-${serial++}` });
    const began = performance.now();
    await Promise.all([connection.post(body, Buffer.byteLength(body)), pushed]);
    return performance.now() - began;
  };
  /** The median in ms of messages sent as long as this holds for the number of them. */
  const sendWhile = async (isGoingOn: (sent: number) => boolean): Promise<number> => {
    const times: number[] = [];
    while (isGoingOn(times.length)) {
      times.push(await sendOne());
      await sleep(BETWEEN_MESSAGES_MS);
    }
    return median(times);
  };
  const sendSome = () => sendWhile((sent) => sent < MESSAGES);

  const picture = await drawPicture();
  const uploadAll = () =>
    Promise.all(
      Array.from({ length: PICTURES }, async () => {
        const { outgoing, answered } = startUpload(product, "/api/image/upload", headers, picture.length);
        outgoing.write(picture);
        outgoing.end(TAIL);
        await answered;
      }),
    );
  const latencies: Latencies = { idle: [], busy: [] };
  await sendSome();
  for (let round = 1; round <= LATENCY_ROUNDS; round++) {
    latencies.idle.push(await sendSome());
    let areUploaded = false;
    const uploading = uploadAll().finally(() => (areUploaded = true));
    latencies.busy.push(await sendWhile(() => !areUploaded));
    await uploading;
    const ms = (times: readonly number[]) => `${(times.at(-1) ?? 0).toFixed(1)} ms`;
    context.print(
      `uploads, messages, round ${round} of ${LATENCY_ROUNDS}: ${ms(latencies.busy)} with pictures, ${ms(latencies.idle)} without`,
    );
  }
  connection.close();
  socket.close();
  return latencies;
}

/** The milliseconds of a small picture, alone and while others send pictures that take as long as a picture may. */
async function measurePictures(
  product: ServerProcess,
  headers: Readonly<Record<string, string>>,
  others: readonly Readonly<Record<string, string>>[],
): Promise<{ alone: number[]; beside: number[] }> {
  const send = async (picture: Buffer, from: Readonly<Record<string, string>>): Promise<number> => {
    const began = performance.now();
    const { outgoing, answered } = startUpload(product, "/api/image/upload", from, picture.length);
    outgoing.write(picture);
    outgoing.end(TAIL);
    await answered;
    return performance.now() - began;
  };
  const small = await draw(8, 8).png().toBuffer();
  const hostile = await draw(7_000, 7_000).webp({ effort: 0 }).toBuffer();
  const sendSmall = async (isGoingOn: (sent: number) => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (isGoingOn(times.length)) times.push(await send(small, headers));
    return times;
  };
  await sendSmall((sent) => sent < SMALL_PICTURES);
  const alone = await sendSmall((sent) => sent < SMALL_PICTURES);
  let isOver = false;
  const sending = Promise.allSettled(others.map((from) => send(hostile, from))).finally(
    () => (isOver = true),
  );
  const beside = await sendSmall(() => !isOver);
  for (const sent of await sending) {
    // Those that need too long are refused, as they should be. After another failure there was less to do.
    if (sent.status === "rejected" && !String(sent.reason).includes("upload.tooComplex")) throw sent.reason;
  }
  return { alone, beside };
}

/** Noise, which takes encoders longest. */
function draw(width: number, height: number): Sharp {
  const noise = { type: "gaussian", mean: 128, sigma: 25 } as const;
  return sharp({ create: { width, height, channels: 3, background: "teal", noise } }).blur(1);
}

/** A photo of 20 megapixels as cameras make it: much detail, some megabytes. */
async function drawPicture(): Promise<Buffer> {
  return draw(5_472, 3_648).jpeg({ quality: 90 }).toBuffer();
}
