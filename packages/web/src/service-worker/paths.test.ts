/** Four programs decide which paths are screens: the client, its service worker, the server and the desktop application. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NOT_A_SCREEN } from "./paths.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The pattern with this name in a file that the client cannot import. */
function patternIn(path: string, name: string): RegExp {
  const [, source] = new RegExp(`^const ${name} = /(.+)/;$`, "m").exec(read(path)) ?? [];
  if (source === undefined) throw new Error(`${path} has no pattern ${name}`);
  return new RegExp(source);
}

const SERVER = patternIn("../../../server/src/http/serve-web-client.ts", "SCREEN");
const NOT_FOR_DESKTOP = patternIn("../../../desktop/src/main/client-files.ts", "NOT_A_SCREEN");
const ROUTES = [...read("../app/routes.tsx").matchAll(/<Route path="([^"]+)"/g)].map(([, path = ""]) => path);

test("the client has routes", () => expect(ROUTES).toContain("/home/*?"));

test.each(ROUTES)("the route %s is a screen for everybody, and what only begins like it is not", (route) => {
  const path = route.replace("/*?", "");
  for (const screen of route.endsWith("/*?") ? [path, `${path}/a/b`] : [path]) {
    expect([screen, NOT_A_SCREEN.test(screen)]).toEqual([screen, false]);
    expect([screen, SERVER.test(screen)]).toEqual([screen, true]);
    expect([screen, NOT_FOR_DESKTOP.test(screen)]).toEqual([screen, false]);
  }
  for (const other of route.endsWith("/*?") ? [`${path}s`] : [`${path}s`, `${path}/a`]) {
    expect([other, NOT_A_SCREEN.test(other)]).toEqual([other, true]);
    expect([other, SERVER.test(other)]).toEqual([other, false]);
  }
});

test("the server and the service worker know no screens that the client has not, but for what other apps share", () => {
  const namesIn = (pattern: RegExp) => pattern.source.match(/[a-z]{4,}/g)?.toSorted();
  const routes = ROUTES.map((route) => route.replace("/*?", "").slice(1));
  expect(namesIn(NOT_A_SCREEN)).toEqual(routes.toSorted());
  expect(namesIn(SERVER)).toEqual([...routes, "share"].toSorted());
});
