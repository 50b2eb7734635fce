import { expect, test } from "vitest";
import { shotsPage } from "./shots-page.ts";

test("the page of all pictures has a row for each screen and says where a picture is missing", () => {
  const page = shotsPage([
    "user-card.en-US.390.dark.png",
    "user-card.zh-CN.1440.light.png",
    "chats.en-US.390.dark.png",
    "index.html",
  ]);
  expect([...page.matchAll(/<h2 id="([\w-]+)">/g)].map(([, screen]) => screen)).toEqual([
    "chats",
    "user-card",
  ]);
  expect(
    [...page.matchAll(/<figcaption>(.*?)<|(no picture)|src="(.*?)"/g)].map(([, ...found]) => found.join("")),
  ).toEqual([
    "no picture",
    "1440 px, zh-CN, light",
    "chats.en-US.390.dark.png",
    "390 px, en-US, dark",
    "user-card.zh-CN.1440.light.png",
    "1440 px, zh-CN, light",
    "user-card.en-US.390.dark.png",
    "390 px, en-US, dark",
  ]);
});
