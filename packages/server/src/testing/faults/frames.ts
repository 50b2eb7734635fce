/**
 * FRAMES: anything at all is said to the gateway. For each mutated frame it is known what must be answered and how the connection must end;
 * for bytes that mean nothing, only that it ends. Meanwhile two people talk, and nothing of what they say may be lost or late; afterwards the
 * server must hold what it held before, and its log must tell neither a secret nor an error.
 */
import { type Chance, createChance } from "@parley/core/testing/prng";
import { CloseCode } from "@parley/protocol/codes";
import { INSPECTED } from "../inspect.ts";
import { flawsOfLog } from "../log-scan.ts";
import { CANARY } from "@parley/core/testing/odd-values";
import { PASSWORD, type Person, join } from "../people.ts";
import { closeFrame } from "../raw-frames.ts";
import { type SpawnOptions, startServer } from "../server-process.ts";
import { Bystanders } from "./bystanders.ts";
import { type MadeFrame, mutatedFrame, rightLogin, wildBytes } from "./frame-mutations.ts";
import { type Said, speak } from "./raw-line.ts";
import type { Report } from "./report.ts";
import { aliveAt, growthOf, heldQuietly, secretsOf } from "./watch.ts";

export interface FramesOptions {
  dataDir: string;
  seed: number;
  /** Mutated frames that the server reads. */
  frames: number;
  /** Planted: another script that starts the server. */
  spawn?: SpawnOptions;
  env?: Record<string, string>;
}

/** Connections at a time. */
const LINES = 24;
const LINE_FRAMES_MAX = 12;
const DRAWS_MAX = 30;
const LINE_SEEDS = 10_000_019;
const TOLD_MAX = 1_000;
/** How much of the storm comes before the measure: everything that is made once is made then. */
const WARM_UP = 0.2;
const VIOLATIONS_MAX = 20;
/** The bystanders say something each so many connections. */
const TALK_EVERY = 50;
const HEARTBEAT_REPLY = '{"cmd":1,"data":null}';

export async function runFrames({ dataDir, seed, frames, spawn, env }: FramesOptions): Promise<Report> {
  const server = await startServer(
    { DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "trace", ...INSPECTED, ...env },
    spawn,
  );
  const violations: string[] = [];
  const storm = new Storm(Number(new URL(server.url).port), seed, violations);
  try {
    const people = [await join(server.url), await join(server.url)];
    for (const person of people) await storm.learn(person);
    const bystanders = await Bystanders.meet(server.url);
    storm.meanwhile = () => bystanders.talk();

    await aliveAt(server, storm.blow(Math.ceil(frames * WARM_UP)));
    const before = await heldQuietly(server, bystanders);
    await aliveAt(server, storm.blow(frames));
    const after = await heldQuietly(server, bystanders);

    violations.push(...growthOf(before, after), ...(await bystanders.part()));
    server.kill("SIGTERM");
    const code = await server.exited;
    if (code !== 0) violations.push(`the server ended with ${code}`);
    const secrets = [CANARY, PASSWORD, ...[...people, ...bystanders.people].flatMap(secretsOf)];
    violations.push(...flawsOfLog(server.output(), secrets).slice(0, VIOLATIONS_MAX));
    const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1);
    return {
      name: "FRAMES mutated frames",
      done:
        `${storm.read} mutated frames read, of ${storm.sent} that were sent with their logins over ${storm.lines} connections (seed ${seed}), ` +
        `${storm.wild} more of wild bytes; ${bystanders.said} messages of bystanders; heap ${mb(before.heap)} to ` +
        `${mb(after.heap)} MiB, RSS ${mb(before.rss)} to ${mb(after.rss)} MiB, ${before.files} to ${after.files} files; ` +
        `${server.output().split("\n").length} lines of log`,
      violations,
    };
  } catch (error) {
    // A server that has ended is a finding, whatever it broke here.
    violations.push(`${String(error)}; the server says ${server.output().slice(-2_000)}`);
    return {
      name: "FRAMES mutated frames",
      done: `broken off after ${storm.read} (seed ${seed})`,
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

class Storm {
  /** Mutated frames that the server had to read. */
  read = 0;
  sent = 0;
  lines = 0;
  wild = 0;
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
  async learn(person: Person): Promise<void> {
    const { accessToken } = person.tokens;
    this.#sessions.set(accessToken, person.userName);
    const socket = await person.connect();
    this.#loggedIn = JSON.stringify(socket.frames[0]);
    socket.close();
    await socket.closed;
  }

  async blow(frames: number): Promise<void> {
    const end = this.read + frames;
    const work = async () => {
      while (this.read < end && this.#violations.length < VIOLATIONS_MAX) {
        const number = ++this.lines;
        // Each connection has chance of its own, so that it says the same in every run of a seed.
        const chance = createChance(this.#seed * LINE_SEEDS + number);
        if (number % TALK_EVERY === 0) await this.meanwhile();
        if (chance.isLuck(0.1)) await this.#speakWildly(chance);
        else await this.#speak(chance, number);
      }
    };
    await Promise.all(Array.from({ length: LINES }, work));
  }

  async #speakWildly(chance: Chance): Promise<void> {
    const bytes = wildBytes(chance, this.#tokens);
    this.wild++;
    const isCut = true;
    if (chance.isLuck(0.2)) {
      // The handshake itself is of the same kind.
      await speak(this.#port, { bytes: [], handshake: bytes.toString("latin1"), isCut });
    } else await speak(this.#port, { bytes: [bytes], isCut });
  }

  get #tokens(): string[] {
    return [...this.#sessions.keys()];
  }

  async #speak(chance: Chance, number: number): Promise<void> {
    const { frames, expected, isEnded } = this.#write(chance);
    const bytes = frames.map((frame) => frame.bytes);
    // Frames behind one that ends the connection must be passed over; a close of ours would come before an answer that takes a turn.
    if (!isEnded) bytes.push(closeFrame(CloseCode.DELIBERATE));
    const heard = await speak(this.#port, { bytes: [Buffer.concat(bytes)] });
    if (told(heard) === told(expected)) return;
    const kinds = frames.map(({ meaning }) => meaning.kind).join(", ");
    const last = frames.at(-1)?.bytes.toString("base64") ?? "";
    this.#violations.push(
      `connection ${number}: expected ${told(expected)}, heard ${told(heard)} after ${kinds}: ${last}`.slice(
        0,
        TOLD_MAX,
      ),
    );
  }

  /** Frames of one connection, and what it must come to. */
  #write(chance: Chance): { frames: MadeFrame[]; expected: Said; isEnded: boolean } {
    const frames: MadeFrame[] = [];
    const replies: string[] = [];
    let session: string | undefined;
    let code: number | null = null;
    const isLate = chance.isLuck(0.15);
    const length = 1 + chance.below(LINE_FRAMES_MAX);
    for (let i = 0; i < length && code === null; i++) {
      const isRight = i === 0 && !isLate;
      const frame = isRight ? rightLogin(chance.pick(this.#tokens)) : this.#mutated(chance, i === length - 1);
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
    if (code === CloseCode.MALFORMED && chance.isLuck(0.3)) {
      for (let i = 0; i <= chance.below(3); i++) frames.push(mutatedFrame(chance, this.#tokens));
    }
    this.sent += frames.length;
    return { frames, expected: { replies, code: code ?? CloseCode.DELIBERATE }, isEnded: code !== null };
  }

  /** Most mutated frames end their connection: those come last, so that a connection is worth its while. */
  #mutated(chance: Chance, isLast: boolean): MadeFrame {
    for (let i = 0; ; i++) {
      const frame = mutatedFrame(chance, this.#tokens);
      if (isLast || i === DRAWS_MAX || !this.#isEnd(frame)) return frame;
    }
  }

  #isEnd({ meaning }: MadeFrame): boolean {
    if (meaning.kind === "login") return !this.#sessions.has(decoded(meaning.token));
    return meaning.kind === "malformed";
  }
}

function told({ replies, code }: Said): string {
  return `${code} and ${JSON.stringify(replies)}`;
}
