import { expect, test } from "vitest";
import { FOREIGN, TAKEN_FOR_OURS, runForeignAnswers } from "./foreign-answers.ts";
import { onServer } from "./on-server.ts";

test("K25 what somebody else answers is never data, never a refusal and never the end of a session", async () => {
  const { done, violations } = await onServer((url) => runForeignAnswers({ url, answers: FOREIGN }));
  process.stdout.write(`K25 ${done}\n`);
  expect(violations).toEqual([]);
}, 120_000);

test("K25 finds a session that such an answer ends", async () => {
  const answers = { "a server's own word": TAKEN_FOR_OURS };
  const { violations } = await onServer((url) => runForeignAnswers({ url, answers }));
  expect(violations.join("\n")).toContain("a server's own word: the session is");
}, 120_000);
