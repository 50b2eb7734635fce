import { expect, test } from "vitest";
import { userInfo } from "../../testing/builders.ts";
import { hidesReads } from "./receipts.ts";

test("RC6 read and unread are not shown to whoever has switched read receipts off; an older server, which does not say, tells them", () => {
  expect(hidesReads({ me: userInfo({ readReceipts: false }) })).toBe(true);
  expect(hidesReads({ me: userInfo({ readReceipts: true }) })).toBe(false);
  const { readReceipts: _, ...ofOlderServer } = userInfo();
  expect(hidesReads({ me: ofOlderServer })).toBe(false);
  expect(hidesReads({ me: null })).toBe(false);
});
