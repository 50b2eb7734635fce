import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ENDPOINTS } from "./all.ts";

const modules = readdirSync(new URL(".", import.meta.url)).filter(
  (file) => !file.endsWith(".test.ts") && file !== "all.ts",
);

test.each(modules)("every endpoint that %s exports is known by its name", async (file) => {
  const exports = (await import(`./${file}`)) as Record<string, unknown>;
  const endpoints = Object.entries(exports).filter(
    ([, value]) => typeof value === "object" && value !== null && "path" in value,
  );
  const known: Record<string, unknown> = ENDPOINTS;
  expect(
    endpoints.filter(([name, endpoint]) => known[name] !== endpoint).map(([name]) => name),
    `all.ts does not spread this module, or another one exports the same name`,
  ).toEqual([]);
});
