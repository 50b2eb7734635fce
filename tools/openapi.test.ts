import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { printedApi } from "./lib/printed-api.ts";

test("docs/api/openapi.json is printed from the endpoints as they are (else run: node tools/openapi.ts)", () => {
  const { file, text } = printedApi();
  expect(readFileSync(file, "utf8")).toBe(text);
});
