import { expect, test } from "vitest";
import { parseDeepLink } from "./deep-link.ts";

test.each([
  ["parley://chat/private/12", { kind: "chat", chat: "private", id: 12 }],
  ["parley://chat/group/3/", { kind: "chat", chat: "group", id: 3 }],
  ["PARLEY://Chat/group/3", { kind: "chat", chat: "group", id: 3 }],
  ["parley://server/im.example.org", { kind: "server", address: "im.example.org" }],
  ["parley://server/127.0.0.1:8080", { kind: "server", address: "127.0.0.1:8080" }],
])("%s opens %o", (text, link) => {
  expect(parseDeepLink(text)).toEqual(link);
});

test.each([
  "",
  "parley://",
  "parley://chat",
  "parley://chat/private",
  "parley://chat/private/0",
  "parley://chat/private/-1",
  "parley://chat/private/1e3",
  "parley://chat/private/99999999999999999",
  "parley://chat/other/1",
  "parley://chat/private/1/2",
  "parley://chat/private/1?x=1",
  "parley://server/",
  "parley://server/evil.example/path",
  "parley://server/user@evil.example",
  `parley://server/${"a".repeat(301)}`,
  "https://chat/private/12",
  "javascript:alert(1)",
  " parley://chat/private/12",
])("%s opens nothing", (text) => {
  expect(parseDeepLink(text)).toBeNull();
});
