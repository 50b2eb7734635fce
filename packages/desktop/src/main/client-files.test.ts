import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClientFiles } from "./client-files.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-client-files-"));
const web = join(folder, "web");
const files = createClientFiles(web);
const get = (url: string, method = "GET") => files({ url, method });

beforeAll(() => {
  mkdirSync(join(web, "assets"), { recursive: true });
  mkdirSync(join(web, ".vite"));
  writeFileSync(join(web, "index.html"), "the page");
  writeFileSync(join(web, "assets", "app-1.js"), "the program");
  writeFileSync(join(web, "assets", "data.unknown"), "?");
  writeFileSync(join(web, ".vite", "manifest.json"), "{}");
  writeFileSync(join(folder, "secret.txt"), "a secret");
  symlinkSync(join(folder, "secret.txt"), join(web, "link.txt"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["app://parley/", "the page", "text/html; charset=utf-8"],
  ["app://parley/home/chat/PRIVATE:12?x=1#y", "the page", "text/html; charset=utf-8"],
  ["app://parley/home/chat/GROUP%3A5", "the page", "text/html; charset=utf-8"],
  ["app://parley/assets/app-1.js?v=2", "the program", "text/javascript; charset=utf-8"],
  ["app://parley/assets/data.unknown", "?", "application/octet-stream"],
])("%s answers with %s", async (url, text, type) => {
  const response = await get(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
  expect(await response.text()).toBe(text);
});

test.each([
  "app://parley/missing.js",
  "app://parley/assets/missing",
  "app://parley/assets",
  "app://parley/api/account",
  "app://parley/files/a/b",
  "app://parley/link.txt",
  "app://parley/.vite/manifest.json",
  "app://parley/..%2fsecret.txt",
  "app://parley/assets/..%2f..%2fsecret.txt",
  "app://parley/..%5csecret.txt",
  "app://parley/c:/secret.txt",
  "app://parley/secret.txt%00.js",
  "app://parley/%E0%A4%A.js",
  "app://other/index.html",
])("%s answers with nothing, because it is no file of the build", async (url) => {
  const response = await get(url);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe("");
});

test("another method than reading is refused", async () => {
  expect((await get("app://parley/", "POST")).status).toBe(405);
  const head = await get("app://parley/assets/app-1.js", "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

describe("the policy of every answer", () => {
  test.each(["app://parley/", "app://parley/assets/app-1.js", "app://parley/missing.js"])(
    "%s",
    async (url) => {
      const { headers } = await get(url);
      const policy = new Map(
        (headers.get("content-security-policy") ?? "").split("; ").map((directive): [string, string] => {
          const [name = "", ...sources] = directive.split(" ");
          return [name, sources.join(" ")];
        }),
      );
      expect(policy.get("script-src")).toBe("'self'");
      expect(policy.get("default-src")).toBe("'self'");
      for (const name of ["frame-ancestors", "object-src", "base-uri", "frame-src", "script-src-attr"])
        expect(policy.get(name), name).toBe("'none'");
      expect(policy.get("connect-src")).toBe("'self' blob: http: https: ws: wss:");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    },
  );
});
