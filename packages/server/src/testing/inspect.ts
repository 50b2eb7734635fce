/** What the process of a server holds, asked of its own engine: the product itself tells none of it. */
import { WebSocket } from "ws";
import type { ServerProcess } from "./server-process.ts";

/** Of a server that is to be looked into. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const ASKED = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { readdirSync, existsSync } = process.getBuiltinModule("node:fs");
  const files = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
  return JSON.stringify({ heap: heapUsed, external, rss, files, handles: process.getActiveResourcesInfo().length });
})()`;

/** After everything that nobody refers to was collected. Bytes, and numbers. */
export interface Held {
  heap: number;
  external: number;
  rss: number;
  /** Open files and sockets of the process. */
  files: number;
  /** What keeps its event loop alive. */
  handles: number;
}

interface Answer {
  id: number;
  result?: { result?: { value?: string } };
  error?: { message: string };
}

export class Inspector {
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data: Buffer) => {
      const answer = JSON.parse(data.toString("utf8")) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    ws.on("close", () => {
      const error = { message: "the process ended" };
      for (const [id, resolve] of this.#waiting) resolve({ id, error });
      this.#waiting.clear();
    });
  }

  /** Of a server that was started with `INSPECTED`. */
  static async open(server: ServerProcess): Promise<Inspector> {
    const url = LISTENING.exec(server.output())?.[1];
    if (url === undefined) throw new Error("the server was not started with INSPECTED");
    const ws = new WebSocket(url, { perMessageDeflate: false });
    await new Promise((resolve, reject) => ws.on("open", resolve).on("error", reject));
    return new Inspector(ws);
  }

  async held(): Promise<Held> {
    await this.#ask("HeapProfiler.collectGarbage", {});
    const { result } = await this.#ask("Runtime.evaluate", { expression: ASKED });
    return JSON.parse(result?.result?.value ?? "") as Held;
  }

  close(): void {
    this.#ws.close();
  }

  async #ask(method: string, params: object): Promise<Answer> {
    const id = ++this.#asked;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#ws.send(JSON.stringify({ id, method, params }));
    });
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer;
  }
}
