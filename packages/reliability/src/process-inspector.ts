/** Reads the memory and handles of a server process over the debugger of Node. The product has no such endpoint. */
import { WebSocket } from "ws";
import type { ServerProcess } from "@parley/server/testing/server-process";

/** The environment that a server needs to be inspected. */
export const INSPECTOR_ENV = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const USAGE_EXPRESSION = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { readdirSync, existsSync } = process.getBuiltinModule("node:fs");
  const files = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0;
  return JSON.stringify({ heap: heapUsed, external, rss, files, handles: process.getActiveResourcesInfo().length });
})()`;

/** What a process uses after a garbage collection: bytes, and numbers of files and handles. */
export interface ResourceUsage {
  heap: number;
  external: number;
  rss: number;
  /** Open files and sockets of the process. */
  files: number;
  /** Resources that keep its event loop alive. */
  handles: number;
}

interface Answer {
  result?: { result?: { value?: string } };
  error?: { message: string };
}

/** The usage of a server that was started with `INSPECTOR_ENV`. Disconnects at once, because an inspected process does not exit. */
export async function resourceUsageOf(server: ServerProcess): Promise<ResourceUsage> {
  const url = LISTENING.exec(server.output())?.[1];
  if (url === undefined) throw new Error("the server was not started with INSPECTOR_ENV");
  const ws = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => ws.on("open", resolve).on("error", reject));
  try {
    await sendInspectorCommand(ws, "HeapProfiler.collectGarbage", {});
    const { result } = await sendInspectorCommand(ws, "Runtime.evaluate", { expression: USAGE_EXPRESSION });
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
