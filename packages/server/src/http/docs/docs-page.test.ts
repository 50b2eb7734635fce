import { channel } from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CloseCode, Code, MessageType } from "@parley/protocol/codes";
import { ERRORS } from "@parley/protocol/errors";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";

/** `GET /api/user/find/{id}` */
type Route = string;

const METHODS = ["GET", "POST", "PUT", "DELETE"];
/** Routes of the web client: its files, or a text that says that it is not built. */
const WEB_CLIENT_ROUTES: readonly Route[] = ["GET /robots.txt", "GET /", "GET /*"];

let server: TestApp;
let webFolder: string;
let page: string;
/** Every route of the server, including those that only answer 405 with the allowed methods. */
const registeredRoutes: Route[] = [];

const collect = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    for (const name of [method].flat()) {
      if (METHODS.includes(name)) registeredRoutes.push(`${name} ${url.replace(/:(\w+)/g, "{$1}")}`);
    }
  });
};

beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), "parley-web-"));
  channel("fastify.initialization").subscribe(collect);
  server = await createTestApp({ webFolder, env: { RATE_LIMITS: "off" } });
  channel("fastify.initialization").unsubscribe(collect);
  page = await (await fetch(`${server.url}/api/docs`)).text();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(webFolder, { recursive: true, force: true });
});

/** The routes that do not answer 405. */
async function findRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  for (const route of registeredRoutes.filter((route) => !WEB_CLIENT_ROUTES.includes(route))) {
    const [method = "", path = ""] = route.split(" ");
    const { status } = await fetch(`${server.url}${path.replaceAll(/\{\w+\}/g, "1")}`, { method });
    if (status !== 405) routes.push(route);
  }
  return routes.sort();
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

describe("every route", () => {
  test("is documented on the page, and the page documents no other route", async () => {
    const calls = [...page.matchAll(/<h4>(.*?)<\/h4>/gs)].map(([, head = ""]) =>
      textOf(head).trim().replaceAll(/\s+/g, " "),
    );
    const others = [...page.matchAll(/<code>(GET \/[^<]*)<\/code>/g)].map(([, route = ""]) => route);
    expect([...calls, ...others].sort()).toEqual(await findRoutes());
  });

  test("is in openapi.json, and openapi.json has no other route", async () => {
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      servers: { url: string }[];
      paths: Record<string, { servers?: { url: string }[] }>;
    };
    const described = Object.entries(document.paths).flatMap(([path, item]) => {
      const base = (item.servers ?? document.servers)[0]?.url.replace(/\/$/, "") ?? "";
      return METHODS.filter((method) => method.toLowerCase() in item).map(
        (method) => `${method} ${base}${path}`,
      );
    });
    expect(described.sort()).toEqual(await findRoutes());
  });
});

describe("the page", () => {
  test("names every message type, error key, envelope code and close code", () => {
    const text = textOf(page);
    for (const name of [...Object.keys(MessageType), ...Object.keys(ERRORS)]) expect(text).toContain(name);
    const codes = [...Object.values(Code), ...Object.values(CloseCode), ...Object.values(MessageType)];
    for (const code of codes) expect(page).toContain(`<code>${code}</code>`);
  });

  test("shows schemas unchanged, including characters that HTML must escape", () => {
    const text = textOf(page);
    expect(text).toContain('type: "PRIVATE" | "GROUP" | "SYSTEM"');
    expect(text).toContain("nickName?: string");
    expect(text).toContain("originUrl: string");
    expect(page).not.toMatch(/undefined|\[object|NaN/);
  });

  test("shows an example of each JSON content that people send", () => {
    for (const example of Object.values(CONTENT_EXAMPLES).flat()) {
      expect(page).toContain(JSON.stringify(example, null, 2).replaceAll('"', "&quot;"));
    }
  });

  test("loads only its own stylesheet and runs no script", async () => {
    const { headers } = await fetch(`${server.url}/api/docs`);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'");
    expect(page).not.toMatch(/<script|<img|<iframe|style=|\son\w+=/);
    const loaded = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address);
    expect(loaded).toEqual(["/api/docs.css", "/api/openapi.json"]);
    const style = await fetch(`${server.url}/api/docs.css`);
    expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
    expect(await style.text()).not.toMatch(/url\(|@import/);
  });

  test("its table of contents links to each section once", () => {
    const found = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, id = ""]) => id).sort();
    const ids = found(/\sid="([^"]+)"/g);
    expect(ids).toEqual(expect.arrayContaining(["top", "errors", "kinds", "limits", "sendPrivateMessage"]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(found(/href="#([^"]+)"/g)).toEqual(ids);
  });
});
