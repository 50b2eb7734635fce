/**
 * How much sockets may send. A client needs a frame in five seconds, but thousands fit into one packet, and somebody who wrote them as fast
 * as possible would slow down everybody. Counted before the library reads the bytes, because it reads all frames of a packet at once.
 */
import type { FloodLimit } from "../ports/metrics.ts";
import type { Allowance, RateLimiter } from "../ports/rate-limiter.ts";
import { FrameCounter } from "./frame-counter.ts";

/** What a login costs of the frames of a person: all nodes and the friends may hear of it. */
const LOGIN_FRAMES = 2;

/** The owner of the sending socket. */
interface Sender {
  network: string;
  session?: { userId: number } | undefined;
}

/** What one socket may still send. */
export class SocketAllowance {
  readonly #limiter: RateLimiter;
  readonly #counter = new FrameCounter();
  #frames: Allowance;
  #bytes: Allowance;

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
    this.#frames = limiter.allowanceOf("framesBeforeLogin");
    this.#bytes = limiter.allowanceOf("bytesBeforeLogin");
  }

  /** Counts a chunk. Returns the limit that it exceeds, or undefined. */
  take(chunk: Uint8Array, sender: Sender, now: number): FloodLimit | undefined {
    const framesLeft = Math.floor(this.#frames.left(now));
    const frames = this.#counter.count(chunk, framesLeft);
    const isTooMuch = frames > framesLeft || chunk.length > this.#bytes.left(now);
    // The chunk that is too much counts for the others too, or else each new socket could send one.
    const flood = this.#takeOfOthers(Math.min(frames, framesLeft), chunk.length, sender, now);
    if (isTooMuch) return "socket";
    this.#frames.take(frames, now);
    this.#bytes.take(chunk.length, now);
    return flood;
  }

  #takeOfOthers(
    frames: number,
    bytes: number,
    { network, session }: Sender,
    now: number,
  ): FloodLimit | undefined {
    const limiter = this.#limiter;
    if (session === undefined) {
      const wait =
        limiter.take("framesOfStrangers", network, frames, now) +
        limiter.take("bytesOfStrangers", network, bytes, now);
      return wait > 0 ? "address" : undefined;
    }
    const { userId } = session;
    const wait =
      limiter.take("framesOfPerson", userId, frames, now) + limiter.take("bytesOfPerson", userId, bytes, now);
    if (wait > 0) return "person";
    const waitOfAll =
      limiter.take("framesOfAddress", network, frames, now) +
      limiter.take("bytesOfAddress", network, bytes, now);
    return waitOfAll > 0 ? "address" : undefined;
  }

  /** The socket has logged in, and may send more. False if the person has logged in too often. */
  loggedIn(userId: number, now: number): boolean {
    this.#frames = this.#limiter.allowanceOf("framesAfterLogin");
    this.#bytes = this.#limiter.allowanceOf("bytesAfterLogin");
    return this.#limiter.take("framesOfPerson", userId, LOGIN_FRAMES, now) === 0;
  }
}
