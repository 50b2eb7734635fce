import { expect, test } from "vitest";
import { DESKTOP_REQUESTS } from "@parley/desktop/bridge/desktop-bridge";
import { fitNotification, fitTag } from "./fit-notification.ts";

const contract = DESKTOP_REQUESTS.showNotification.input;

test("DT12 a notification that is too long in every part is one that the main process takes", () => {
  const long = {
    tag: `https://${"a".repeat(300)}:7:PRIVATE:12`,
    title: "名".repeat(400),
    body: "😀".repeat(3_000),
    icon: null,
    isLasting: true,
    actions: [{ action: "accept" as const, label: "x".repeat(100) }],
  };
  expect(contract.safeParse(long).success).toBe(false);
  const fitted = fitNotification(long);
  expect(contract.safeParse(fitted).success).toBe(true);
  // As much as fits.
  expect([fitted.tag, fitted.title, fitted.body].map(({ length }) => length)).toEqual([200, 300, 2_000]);
  expect(fitted.actions[0]?.label).toHaveLength(60);
});

test("DT12 tags of different chats stay different, and a character of two halves is not cut", () => {
  const server = `https://${"a".repeat(300)}`;
  expect(fitTag(`${server}:7:PRIVATE:12`)).not.toBe(fitTag(`${server}:7:PRIVATE:13`));
  const { title } = fitNotification({
    tag: "t",
    title: `${"a".repeat(299)}😀`,
    body: "",
    icon: null,
    isLasting: false,
    actions: [],
  });
  expect(title).toBe("a".repeat(299));
});
