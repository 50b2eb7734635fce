import { expect, test } from "vitest";
import type { BroadcastCounts } from "@parley/core/model/broadcast/broadcast";
import { broadcastResult } from "./broadcast-result.ts";
import type { TextId, TextParams } from "../i18n/i18n.ts";
import texts from "../../locales/en-US.json";

const t = (id: TextId, params: TextParams = {}) =>
  (texts as Record<string, string>)[id]?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name]),
  ) ?? id;

test.each<[Partial<BroadcastCounts>, string, boolean]>([
  [{ total: 3, sent: 3 }, "Broadcast successful, sent to 3 friends", true],
  [{ total: 3, sent: 1, failed: 2 }, "Broadcast completed, 1 successful, 2 failed", false],
  [{ total: 3, failed: 3 }, "Broadcast failed", false],
  [
    { total: 5, sent: 2, failed: 1, cancelled: 2 },
    "Broadcast stopped: 2 got it, 3 did not get all of it",
    false,
  ],
])("BR9 the result of %j is the sentence of the specification", (part, text, isSuccess) => {
  const counts = { total: 0, waiting: 0, sent: 0, failed: 0, cancelled: 0, ...part };
  expect(broadcastResult(counts, t)).toEqual({ text, isSuccess });
});
