/** What the process of a server holds, asked of its own engine: the product itself tells none of it. */
import { WebSocket } from "ws";
import type { ServerProcess } from "./server-process.ts";

/** Of a server that is to be looked into. */
export const INSPECTOR_ENV = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const ASKED = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { readdirSync, existsSync } = process.getBuiltinModule("node:fs");
  const files = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
  return JSON.stringify({ heap: heapUsed, external, rss, files, handles: process.getActiveResourcesInfo().length });
})()`;

/** After everything that nobody refers to was collected. Bytes, and numbers. */
export interface ResourceUsage {
  heap: number;
  external: number;
  rss: number;
  /** Open files and sockets of the process. */
  files: number;
  /** What keeps its event loop alive. */
  handles: number;
}

interface Answer {
  result?: { result?: { value?: string } };
  error?: { message: string };
}

/** Of a server that was started with `INSPECTED`. Lets go of it at once: a process that is watched does not end when it should. */
export async function resourceUsageOf(server: ServerProcess): Promise<ResourceUsage> {
  const url = LISTENING.exec(server.output())?.[1];
  if (url === undefined) throw new Error("the server was not started with INSPECTED");
  const ws = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => ws.on("open", resolve).on("error", reject));
  try {
    await sendInspectorCommand(ws, "HeapProfiler.collectGarbage", {});
    const { result } = await sendInspectorCommand(ws, "Runtime.evaluate", { expression: ASKED });
    return JSON.parse(result?.result?.value ?? "") as ResourceUsage;
  } finally {
    ws.close();
  }
}

async function sendInspectorCommand(ws: WebSocket, method: string, params: object): Promise<Answer> {
  const answer = await new Promise<Answer>((resolve) => {
    ws.once("message", (data: Buffer) => resolve(JSON.parse(data.toString("utf8")) as Answer));
    ws.once("close", () => resolve({ error: { message: "the process ended" } }));
    ws.send(JSON.stringify({ id: 1, method, params }));
  });
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer;
}
