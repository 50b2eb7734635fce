import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { noChanges, userChanges } from "./endpoints/changes.ts";

/**
 * Calls of clients of released versions with the server's answers, by endpoint. `packages/server/src/testing/record-answers.ts` writes the
 * file of a version.
 */
const FOLDER = new URL("recorded/", import.meta.url);

interface RecordedCall {
  params?: object;
  query?: object;
  body?: object;
  answer: unknown;
}
const versions = readdirSync(FOLDER).map((file) => ({
  version: file.replace(".json", ""),
  calls: Object.entries(
    JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Record<string, RecordedCall>,
  ),
}));

const MENDS = {
  params: "Clients of that version still make this call: take what they send.",
  query:
    "Clients of that version still make this call: make a new parameter optional, and take what they send.",
  body: "Clients of that version still make this call: make a new field optional, and take what they send.",
  answer:
    "Servers of that version still give this answer: make a new field optional, or give it a default (in the change feed with `changesOf`).",
};

/** What is wrong with a recorded call, and how to mend it; null if today's definition accepts it. */
function problemOf(version: string, name: string, call: RecordedCall, endpoint: Endpoint | undefined) {
  if (endpoint === undefined) return `${name} of ${version} is gone, but clients of that version call it.`;
  for (const part of ["params", "query", "body", "answer"] as const) {
    const { error } = endpoint[part]?.safeParse(call[part]) ?? {};
    if (error === undefined) continue;
    const where = [...new Set(error.issues.map(({ path }) => [part, ...path].join(".")))].join(", ");
    return `${name} of ${version} is no longer accepted because of ${where}. ${MENDS[part]}`;
  }
  return null;
}

describe.each(versions)("version $version", ({ version, calls }) => {
  test.each(calls)("%s is understood", (name, call) => {
    const endpoints: Readonly<Record<string, Endpoint>> = ENDPOINTS;
    expect(problemOf(version, name, call, endpoints[name])).toBeNull();
  });

  test("has recorded a change in each field of the change feed", () => {
    const [, feed] = calls.find(([name]) => name === "loadChanges") ?? [];
    const empty = Object.entries(feed?.answer ?? {}).filter(([, value]) => value.length === 0);
    expect(empty).toEqual([]);
  });
});

test("a new field without a default is refused with a sentence that says how to mend it", () => {
  const answer = z.extend(userChanges, { withoutDefault: z.array(z.number()) });
  const call = { query: {}, answer: noChanges("1") };
  const problem = problemOf("0.1.0", "loadChanges", call, { ...ENDPOINTS.loadChanges, answer });
  expect(problem).toBe(
    `loadChanges of 0.1.0 is no longer accepted because of answer.withoutDefault. ${MENDS.answer}`,
  );
});

test("a field of the change feed that a server leaves out has not changed", () => {
  const { next, extrasNext, ...fields } = userChanges.parse({ next: "7" });
  expect([next, extrasNext]).toEqual(["7", null]);
  expect(Object.values(fields).flat()).toEqual([]);
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(["read", "hidden", "extras", "receipts"]));
});
