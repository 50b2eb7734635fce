/**
 * FRAMES: anything at all is said to the gateway. For each mutated frame it is known what must be answered and how the connection must end;
 * for bytes that mean nothing, only that it ends. Meanwhile two people talk, and nothing of what they say may be lost or late; afterwards the
 * server must hold what it held before, and its log must tell neither a secret nor an error.
 */
import { type Prng, createPrng } from "@parley/core/testing/prng";
import { CloseCode } from "@parley/protocol/codes";
import { INSPECTOR_ENV } from "../process-inspector.ts";
import { flawsOfLog } from "../log-scan.ts";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { PASSWORD, type TestPerson, registerPerson } from "../test-person.ts";
import { closeFrame } from "../raw-frames.ts";
import { type SpawnOptions, startServer } from "../server-process.ts";
import { Sentinels } from "./sentinels.ts";
import { type GeneratedFrame, mutateFrame, validLogin, randomBytes } from "./frame-mutations.ts";
import { type ReceivedFrames, exchangeFrames } from "./raw-socket.ts";
import type { Report } from "./report.ts";
import { failIfServerDies, growthOf, usageAtRest, secretsOf } from "./server-watch.ts";

export interface FrameFuzzOptions {
  dataDir: string;
  seed: number;
  /** Mutated frames that the server reads. */
  frames: number;
  /** Planted: another script that starts the server. */
  spawn?: SpawnOptions;
  env?: Record<string, string>;
}

/** Connections at a time. */
const CONNECTIONS = 24;
const LINE_FRAMES_MAX = 12;
const DRAWS_MAX = 30;
const LINE_SEEDS = 10_000_019;
const TOLD_MAX = 1_000;
/** How much of the storm comes before the measure: everything that is made once is made then. */
const WARM_UP = 0.2;
const VIOLATIONS_MAX = 20;
/** The bystanders say something each so many connections. */
const SENTINEL_EVERY = 50;
const HEARTBEAT_REPLY = '{"cmd":1,"data":null}';

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
    const before = await usageAtRest(server, sentinels);
    await failIfServerDies(server, fuzzer.run(frames));
    const after = await usageAtRest(server, sentinels);

    violations.push(...growthOf(before, after), ...(await sentinels.finish()));
    server.kill("SIGTERM");
    const code = await server.exited;
    if (code !== 0) violations.push(`the server ended with ${code}`);
    const secrets = [SENTINEL, PASSWORD, ...[...people, ...sentinels.people].flatMap(secretsOf)];
    violations.push(...flawsOfLog(server.output(), secrets).slice(0, VIOLATIONS_MAX));
    const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1);
    return {
      name: "FRAMES mutated frames",
      done:
        `${fuzzer.read} mutated frames read, of ${fuzzer.sent} that were sent with their logins over ${fuzzer.lines} connections (seed ${seed}), ` +
        `${fuzzer.randomCount} more of wild bytes; ${sentinels.sentCount} messages of bystanders; heap ${mb(before.heap)} to ` +
        `${mb(after.heap)} MiB, RSS ${mb(before.rss)} to ${mb(after.rss)} MiB, ${before.files} to ${after.files} files; ` +
        `${server.output().split("\n").length} lines of log`,
      violations,
    };
  } catch (error) {
    // A server that has ended is a finding, whatever it broke here.
    violations.push(`${String(error)}; the server says ${server.output().slice(-2_000)}`);
    return {
      name: "FRAMES mutated frames",
      done: `broken off after ${fuzzer.read} (seed ${seed})`,
      violations,
    };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** As the server reads it. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

class FrameFuzzer {
  /** Mutated frames that the server had to read. */
  read = 0;
  sent = 0;
  lines = 0;
  randomCount = 0;
  meanwhile: () => Promise<void> = () => Promise.resolve();
  readonly #port: number;
  readonly #seed: number;
  readonly #violations: string[];
  /** Session of each token. */
  readonly #sessions = new Map<string, string>();
  #loggedIn = "";

  constructor(port: number, seed: number, violations: string[]) {
    this.#port = port;
    this.#seed = seed;
    this.#violations = violations;
  }

  /** Whoever has these tokens may log in. A token that the server has not seen takes a turn to check: it sees it now. */
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
        const number = ++this.lines;
        // Each connection has chance of its own, so that it says the same in every run of a seed.
        const random = createPrng(this.#seed * LINE_SEEDS + number);
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
      // The handshake itself is of the same kind.
      await exchangeFrames(this.#port, { bytes: [], handshake: bytes.toString("latin1"), isCut });
    } else await exchangeFrames(this.#port, { bytes: [bytes], isCut });
  }

  get #tokens(): string[] {
    return [...this.#sessions.keys()];
  }

  async #sendSequence(random: Prng, number: number): Promise<void> {
    const { frames, expected, isEnded } = this.#write(random);
    const bytes = frames.map((frame) => frame.bytes);
    // Frames behind one that ends the connection must be passed over; a close of ours would come before an answer that takes a turn.
    if (!isEnded) bytes.push(closeFrame(CloseCode.DELIBERATE));
    const heard = await exchangeFrames(this.#port, { bytes: [Buffer.concat(bytes)] });
    if (describeFrame(heard) === describeFrame(expected)) return;
    const kinds = frames.map(({ meaning }) => meaning.kind).join(", ");
    const last = frames.at(-1)?.bytes.toString("base64") ?? "";
    this.#violations.push(
      `connection ${number}: expected ${describeFrame(expected)}, heard ${describeFrame(heard)} after ${kinds}: ${last}`.slice(
        0,
        TOLD_MAX,
      ),
    );
  }

  /** Frames of one connection, and what it must come to. */
  #write(random: Prng): { frames: GeneratedFrame[]; expected: ReceivedFrames; isEnded: boolean } {
    const frames: GeneratedFrame[] = [];
    const replies: string[] = [];
    let session: string | undefined;
    let code: number | null = null;
    const isLate = random.isTrueWithProbability(0.15);
    const length = 1 + random.below(LINE_FRAMES_MAX);
    for (let i = 0; i < length && code === null; i++) {
      const isRight = i === 0 && !isLate;
      const frame = isRight ? validLogin(random.pick(this.#tokens)) : this.#mutated(random, i === length - 1);
      frames.push(frame);
      if (!isRight) this.read++;
      const { meaning } = frame;
      if (meaning.kind === "malformed") code = CloseCode.MALFORMED;
      else if (meaning.kind === "ping") replies.push(`pong ${meaning.payload}`);
      else if (meaning.kind === "heartbeat" && session !== undefined) replies.push(HEARTBEAT_REPLY);
      else if (meaning.kind === "login") {
        const found = this.#sessions.get(decoded(meaning.token));
        if (found === undefined || (session !== undefined && session !== found)) code = CloseCode.BAD_TOKEN;
        else replies.push(this.#loggedIn);
        session ??= found;
      }
    }
    if (code === CloseCode.MALFORMED && random.isTrueWithProbability(0.3)) {
      for (let i = 0; i <= random.below(3); i++) frames.push(mutateFrame(random, this.#tokens));
    }
    this.sent += frames.length;
    return { frames, expected: { replies, code: code ?? CloseCode.DELIBERATE }, isEnded: code !== null };
  }

  /** Most mutated frames end their connection: those come last, so that a connection is worth its while. */
  #mutated(random: Prng, isLast: boolean): GeneratedFrame {
    for (let i = 0; ; i++) {
      const frame = mutateFrame(random, this.#tokens);
      if (isLast || i === DRAWS_MAX || !this.#isEnd(frame)) return frame;
    }
  }

  #isEnd({ meaning }: GeneratedFrame): boolean {
    if (meaning.kind === "login") return !this.#sessions.has(decoded(meaning.token));
    return meaning.kind === "malformed";
  }
}

function describeFrame({ replies, code }: ReceivedFrames): string {
  return `${code} and ${JSON.stringify(replies)}`;
}
