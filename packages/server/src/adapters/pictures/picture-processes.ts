/** Runs processes for pictures: started when they are needed, killed when a picture needs too long, ended when they are idle. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PictureEncoder, PictureJob } from "../../ports/picture-encoder.ts";
import type { PictureMessage, PictureRequest } from "./picture-messages.ts";

/** How long a picture may take, all of its encodings together. */
interface TimeLimit {
  /** What it may use of a processor: on a busy machine, a picture takes longer without being more work. */
  cpuMs: number;
  /** What it may take by the clock, because nothing goes on for ever. */
  wallMs: number;
}

/** What the pool needs. The times are for tests. */
export interface PictureProcessesOptions {
  /** Told of a process that has crashed. `detail`: how it ended, and its last words. */
  onCrash(detail: string): void;
  /** A picture that was to be small and takes longer than its limit is `large`. */
  limits?: Readonly<Record<Effort, TimeLimit>>;
  idleMs?: number;
}

const LIMITS = {
  small: { cpuMs: 1_000, wallMs: 15_000 },
  large: { cpuMs: 20_000, wallMs: 120_000 },
} as const;
const IDLE_MS = 60_000;
/** On a machine that does nothing else, it takes a third of a second. */
const START_MS = 120_000;
const ENTRY = fileURLToPath(new URL("picture-process.ts", import.meta.url));
/** What Node and the library need of the environment, and none of the server's secrets. */
const VARIABLES = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];
const LAST_WORDS_MAX = 1_000;

type Effort = PictureJob["effort"];

/** Creates a pool without any process. */
export function createPictureProcesses(options: PictureProcessesOptions): PictureEncoder {
  const { onCrash, limits = LIMITS, idleMs = IDLE_MS } = options;
  const all = new Set<PictureProcess>();
  const idle: Record<Effort, PictureProcess[]> = { small: [], large: [] };
  let isClosed = false;

  const take = (effort: Effort): PictureProcess => {
    for (let waiting = idle[effort].pop(); waiting !== undefined; waiting = idle[effort].pop())
      if (waiting.isAlive) return waiting;
    const started = new PictureProcess(effort);
    all.add(started);
    void started.ended.then(() => all.delete(started));
    return started;
  };
  const putBack = (worker: PictureProcess, effort: Effort) => {
    idle[effort].push(worker);
    worker.endIn(idleMs);
  };

  return {
    async encode(job, signal) {
      signal.throwIfAborted();
      if (isClosed) throw new Error("no more pictures are encoded");
      const { effort } = job;
      const { cpuMs, wallMs } = limits[effort];
      const worker = take(effort);
      const start = await first(worker.ready, START_MS, signal);
      const answer = start === "ready" ? await first(worker.run({ job, cpuMs }), wallMs, signal) : start;
      if (typeof answer === "object" && answer.kind === "done" && !answer.isWornOut && !isClosed) {
        putBack(worker, effort);
        return answer.outcome;
      }
      await worker.kill();
      const overTime = { kind: effort === "small" ? "large" : "tooLong" } as const;
      if (typeof answer === "object") {
        if (answer.kind === "done") return answer.outcome;
        if (answer.kind === "outOfMemory") return { kind: "tooLong" };
        if (answer.kind === "overTime") return overTime;
      }
      signal.throwIfAborted();
      if (isClosed) throw new Error("the server ends before the picture is encoded");
      if (start !== "ready") throw new Error(`a process for pictures has not started: ${worker.lastWords}`);
      if (answer === "late") return overTime;
      onCrash(worker.lastWords);
      return { kind: "broken" };
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((worker) => worker.kill()));
    },
  };
}

/** A process that encodes one picture at a time. */
class PictureProcess {
  /** `ended` if the process ends before it can begin. */
  readonly ready: Promise<"ready" | "ended">;
  /** Never rejects. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #listener: ((message: PictureMessage) => void) | undefined;
  #errors = "";
  #howEnded = "";
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(effort: Effort) {
    const env = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
    const child = fork(ENTRY, [effort], {
      env: { ...env, NODE_ENV: process.env["NODE_ENV"] },
      // Flags of the server, such as those of a debugger, are not meant for it.
      execArgv: ["--max-old-space-size=256"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-LAST_WORDS_MAX);
    });
    this.ended = new Promise((resolve) => {
      // There may be several, such as one more when it is killed; one that nobody listens to would end the server.
      child.on("error", (error) => {
        this.#howEnded ||= error.message;
        if (child.pid === undefined) resolve();
      });
      child.once("exit", (code, signal) => {
        this.#howEnded ||= signal ?? `exit code ${code}`;
        resolve();
      });
    });
    child.on("message", (message) => this.#listener?.(message as PictureMessage));
    this.ready = this.#next().then((message) => (message === "ended" ? message : "ready"));
    // A server that has nothing else to do need not wait for it.
    child.unref();
    child.channel?.unref();
  }

  /** How it ended, and the last that it wrote to its error output. */
  get lastWords(): string {
    return `${this.#howEnded} ${this.#errors}`.trim();
  }

  get isAlive(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  /** Encodes a picture. Returns what it answers. */
  run(request: PictureRequest): Promise<PictureMessage | "ended"> {
    clearTimeout(this.#idleTimer);
    const answer = this.#next();
    // An error means that it has ended.
    this.#child.send(request, () => undefined);
    return answer;
  }

  /** Ends the process if it has nothing to do for so long. */
  endIn(ms: number): void {
    this.#idleTimer = setTimeout(() => void this.kill(), ms).unref();
  }

  /** Ends the process at once, whatever it does, and waits for its end. */
  async kill(): Promise<void> {
    clearTimeout(this.#idleTimer);
    // An idle child does not keep this process alive, so its end might never be seen by those who wait for it.
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** Its next message. */
  #next(): Promise<PictureMessage | "ended"> {
    const message = new Promise<PictureMessage>((resolve) => (this.#listener = resolve));
    return Promise.race([message, this.ended.then(() => "ended" as const)]);
  }
}

/** What the work brings, unless the time ends or the signal comes first. Never rejects because of these. */
async function first<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | "late" | "aborted"> {
  const { promise, resolve } = Promise.withResolvers<"late" | "aborted">();
  const timer = setTimeout(() => resolve("late"), ms);
  const abort = () => resolve("aborted");
  signal.addEventListener("abort", abort);
  // It was aborted before.
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
