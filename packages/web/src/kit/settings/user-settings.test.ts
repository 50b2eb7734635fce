import { beforeEach, expect, test } from "vitest";
import { readOtherSettings, saveOtherSettings } from "./user-settings.ts";
import { setPreferenceStore } from "./preferences.ts";

const ME = 7;
const KEY = "parley.otherSettings.7";
const values = new Map<string, string>();

beforeEach(() => {
  values.clear();
  setPreferenceStore({
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  });
});

test("ST6 without saved settings the confirmation is required as the server says, and required if it does not say", () => {
  expect(readOtherSettings(ME, { isManualApprove: false })).toEqual({ requireFriendConfirmation: false });
  expect(readOtherSettings(ME, { isManualApprove: true })).toEqual({ requireFriendConfirmation: true });
  expect(readOtherSettings(ME, { isManualApprove: null })).toEqual({ requireFriendConfirmation: true });
  expect(readOtherSettings(ME, null)).toEqual({ requireFriendConfirmation: true });
});

test("ST6 the server's value overwrites the saved one; without one the saved value counts", () => {
  saveOtherSettings(ME, { isManualApprove: false });
  expect(values.get(KEY)).toBe('{"requireFriendConfirmation":false}');
  expect(readOtherSettings(ME, null)).toEqual({ requireFriendConfirmation: false });
  expect(readOtherSettings(ME, { isManualApprove: true })).toEqual({ requireFriendConfirmation: true });
  saveOtherSettings(ME, null);
  saveOtherSettings(ME, { isManualApprove: null });
  expect(values.get(KEY)).toBe('{"requireFriendConfirmation":false}');
  saveOtherSettings(ME, { isManualApprove: true });
  expect(values.get(KEY)).toBe('{"requireFriendConfirmation":true}');
});

test("ST6 settings of another person and broken ones do not count", () => {
  saveOtherSettings(8, { isManualApprove: false });
  for (const broken of ["{", "null", "7", "{}", '{"requireFriendConfirmation":"no"}']) {
    values.set(KEY, broken);
    expect(readOtherSettings(ME, null), broken).toEqual({ requireFriendConfirmation: true });
  }
});
