/**
 * FRAMES: the gateway gets mutated frames and random bytes. For each mutated frame the right answer and the right end of the connection
 * are known; after random bytes the connection must only end. Meanwhile two people write to each other and must not miss anything.
 * Afterwards the server must use no more memory than before, and its log must contain no secret and no error.
 */
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { CloseCode } from "@parley/protocol/codes";
import { INSPECTOR_ENV } from "../process-inspector.ts";
import { flawsOfLog } from "@parley/server/testing/log-scan";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { PASSWORD, type TestPerson, registerPerson } from "@parley/server/testing/test-person";
import { closeFrame } from "../raw-frames.ts";
import { type SpawnOptions, startServer } from "@parley/server/testing/server-process";
import { Sentinels } from "./sentinels.ts";
import { type GeneratedFrame, mutateFrame, validLogin, randomBytes } from "./frame-mutations.ts";
import { type ReceivedFrames, exchangeFrames } from "./raw-socket.ts";
import type { Report } from "./report.ts";
import { failIfServerDies, growthUnder, usageAtRest, secretsOf } from "./server-watch.ts";

/** How many frames. */
export interface FrameFuzzOptions {
  dataDir: string;
  seed: number;
  /** The number of mutated frames that the server reads. */
  frames: number;
  /** For planted faults: another script that starts the server, and its environment. */
  spawn?: SpawnOptions;
  env?: Record<string, string>;
}

/** How many connections are open at the same time. */
const CONNECTIONS = 24;
const CONNECTION_FRAMES_MAX = 12;
const DRAWS_MAX = 30;
const CONNECTION_SEEDS = 10_000_019;
const REPORTED_CHARACTERS_MAX = 1_000;
/** The part of the frames that is sent before memory is measured, so that caches are filled. */
const WARM_UP = 0.2;
const VIOLATIONS_MAX = 20;
/** The sentinels send a message after this many connections. */
const SENTINEL_EVERY = 50;
const HEARTBEAT_REPLY = '{"cmd":1,"data":null}';

/** Runs the battery. */
export async function runFrameFuzz({ dataDir, seed, frames, spawn, env }: FrameFuzzOptions): Promise<Report> {
  const server = await startServer(
    { DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "trace", ...INSPECTOR_ENV, ...env },
    spawn,
  );
  const violations: string[] = [];
  const fuzzer = new FrameFuzzer(Number(new URL(server.url).port), seed, violations);
  try {
    const people = [await registerPerson(server.url), await registerPerson(server.url)];
    for (const person of people) await fuzzer.collectTokens(person);
    const sentinels = await Sentinels.create(server.url);
    fuzzer.meanwhile = () => sentinels.exchange();

    await failIfServerDies(server, fuzzer.run(Math.ceil(frames * WARM_UP)));
    const {
      before,
      after,
      violations: grown,
    } = await growthUnder(
      () => failIfServerDies(server, fuzzer.run(frames)),
      () => usageAtRest(server, sentinels),
    );

    violations.push(...grown, ...(await sentinels.finish()));
    server.kill("SIGTERM");
    const code = await server.exited;
    if (code !== 0) violations.push(`the server ended with ${code}`);
    const secrets = [SENTINEL, PASSWORD, ...[...people, ...sentinels.people].flatMap(secretsOf)];
    violations.push(...flawsOfLog(server.output(), secrets).slice(0, VIOLATIONS_MAX));
    const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1);
    return {
      name: "FRAMES mutated frames",
      done:
        `${fuzzer.read} mutated frames read, of ${fuzzer.sent} that were sent with their logins over ${fuzzer.connections} connections (seed ${seed}), ` +
        `${fuzzer.randomCount} more of random bytes; ${sentinels.sentCount} messages of other people; heap ${mb(before.heap)} to ` +
        `${mb(after.heap)} MiB, RSS ${mb(before.rss)} to ${mb(after.rss)} MiB, ${before.files} to ${after.files} files; ` +
        `${server.output().split("\n").length} lines of log`,
      violations,
    };
  } catch (error) {
    // A server that has ended is a violation, even if this run could not finish.
    violations.push(`${String(error)}; the server printed ${server.output().slice(-2_000)}`);
    return {
      name: "FRAMES mutated frames",
      done: `aborted after ${fuzzer.read} (seed ${seed})`,
      violations,
    };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** The token as the server reads it. */
function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

class FrameFuzzer {
  /** The number of mutated frames that the server had to read. */
  read = 0;
  sent = 0;
  connections = 0;
  randomCount = 0;
  meanwhile: () => Promise<void> = () => Promise.resolve();
  readonly #port: number;
  readonly #seed: number;
  readonly #violations: string[];
  /** The session of each token. */
  readonly #sessions = new Map<string, string>();
  #loggedIn = "";

  constructor(port: number, seed: number, violations: string[]) {
    this.#port = port;
    this.#seed = seed;
    this.#violations = violations;
  }

  /** Makes the token of a person valid for logins. Connects once, because the first check of a token takes the server an extra turn. */
  async collectTokens(person: TestPerson): Promise<void> {
    const { accessToken } = person.tokens;
    this.#sessions.set(accessToken, person.userName);
    const socket = await person.connect();
    this.#loggedIn = JSON.stringify(socket.frames[0]);
    socket.close();
    await socket.closed;
  }

  async run(frames: number): Promise<void> {
    const end = this.read + frames;
    const work = async () => {
      while (this.read < end && this.#violations.length < VIOLATIONS_MAX) {
        const number = ++this.connections;
        // Each connection has its own random numbers, so that it sends the same in every run with a seed.
        const random = createPrng(this.#seed * CONNECTION_SEEDS + number);
        if (number % SENTINEL_EVERY === 0) await this.meanwhile();
        if (random.isTrueWithProbability(0.1)) await this.#sendRandomBytes(random);
        else await this.#sendSequence(random, number);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  }

  async #sendRandomBytes(random: Prng): Promise<void> {
    const bytes = randomBytes(random, this.#tokens);
    this.randomCount++;
    const isCut = true;
    if (random.isTrueWithProbability(0.2)) {
      // Send the random bytes instead of the handshake.
      await exchangeFrames(this.#port, { bytes: [], handshake: bytes.toString("latin1"), isCut });
    } else await exchangeFrames(this.#port, { bytes: [bytes], isCut });
  }

  get #tokens(): string[] {
    return [...this.#sessions.keys()];
  }

  async #sendSequence(random: Prng, number: number): Promise<void> {
    const { frames, expected, isEnded } = this.#generate(random);
    const bytes = frames.map((frame) => frame.bytes);
    // Do not close a connection that a frame has ended: the close frame could overtake an answer that takes a turn.
    if (!isEnded) bytes.push(closeFrame(CloseCode.DELIBERATE));
    const received = await exchangeFrames(this.#port, { bytes: [Buffer.concat(bytes)] });
    if (describeFrames(received) === describeFrames(expected)) return;
    const kinds = frames.map(({ meaning }) => meaning.kind).join(", ");
    const last = frames.at(-1)?.bytes.toString("base64") ?? "";
    this.#violations.push(
      `connection ${number}: expected ${describeFrames(expected)}, received ${describeFrames(received)} after ${kinds}: ${last}`.slice(
        0,
        REPORTED_CHARACTERS_MAX,
      ),
    );
  }

  /** Generates the frames of one connection and the expected answers. */
  #generate(random: Prng): { frames: GeneratedFrame[]; expected: ReceivedFrames; isEnded: boolean } {
    const frames: GeneratedFrame[] = [];
    const replies: string[] = [];
    let session: string | undefined;
    let code: number | null = null;
    const skipsLogin = random.isTrueWithProbability(0.15);
    const length = 1 + random.below(CONNECTION_FRAMES_MAX);
    for (let i = 0; i < length && code === null; i++) {
      const isValid = i === 0 && !skipsLogin;
      const frame = isValid ? validLogin(random.pick(this.#tokens)) : this.#mutated(random, i === length - 1);
      frames.push(frame);
      if (!isValid) this.read++;
      const { meaning } = frame;
      if (meaning.kind === "malformed") code = CloseCode.MALFORMED;
      else if (meaning.kind === "ping") replies.push(`pong ${meaning.payload}`);
      else if (meaning.kind === "heartbeat" && session !== undefined) replies.push(HEARTBEAT_REPLY);
      else if (meaning.kind === "login") {
        const loginSession = this.#sessions.get(decodeToken(meaning.token));
        if (loginSession === undefined || (session !== undefined && session !== loginSession))
          code = CloseCode.BAD_TOKEN;
        else replies.push(this.#loggedIn);
        session ??= loginSession;
      }
    }
    if (code === CloseCode.MALFORMED && random.isTrueWithProbability(0.3)) {
      for (let i = 0; i <= random.below(3); i++) frames.push(mutateFrame(random, this.#tokens));
    }
    this.sent += frames.length;
    return { frames, expected: { replies, code: code ?? CloseCode.DELIBERATE }, isEnded: code !== null };
  }

  /** Most mutated frames end their connection. They are drawn for the last position only, so that a connection has several frames. */
  #mutated(random: Prng, isLast: boolean): GeneratedFrame {
    for (let i = 0; ; i++) {
      const frame = mutateFrame(random, this.#tokens);
      if (isLast || i === DRAWS_MAX || !this.#endsConnection(frame)) return frame;
    }
  }

  #endsConnection({ meaning }: GeneratedFrame): boolean {
    if (meaning.kind === "login") return !this.#sessions.has(decodeToken(meaning.token));
    return meaning.kind === "malformed";
  }
}

function describeFrames({ replies, code }: ReceivedFrames): string {
  return `${code} and ${JSON.stringify(replies)}`;
}
