import type { LoadCalls } from "@parley/core/calls/lazy-calls";
import type { Client } from "@parley/core/client-api";
import { loadChunk } from "../kit/loading/load-chunk.ts";

/** The code that only calls need. */
export const loadCallsChunk = () => import("./calls-chunk.ts");

/** Loads what this client needs for its first call. Messages and questions about calls are shown from then on. */
export async function loadCalls(client: Client): ReturnType<LoadCalls> {
  const { createCalls, showCallNotices, watchScreenRequests } = await loadChunk(loadCallsChunk);
  showCallNotices(client);
  watchScreenRequests(client);
  return createCalls;
}
