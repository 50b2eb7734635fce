import { expect, test } from "vitest";
import { DEMO_TEXTS } from "./seed-data.ts";

test.each(["zh", "en"] as const)("%s: each placeholder of a conversation has words", (language) => {
  const { conversations, monologues, placeholders } = DEMO_TEXTS[language];
  const lines = [...conversations, ...monologues].flat();
  const used = lines.flatMap((line) => [...line.matchAll(/\[([^\]]*)\]/g)].map(([, name]) => name));
  expect(new Set(used)).toEqual(new Set(Object.keys(placeholders)));
});
