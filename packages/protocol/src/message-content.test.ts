import { expect, test } from "vitest";
import { MessageType } from "./codes.ts";
import { kindOf } from "./message.ts";

const isAccepted = (type: MessageType, content: object) => kindOf(type)?.schema?.safeParse(content).success;
const url = "/files/a/b.png";

test("a type that only a newer server knows has no kind", () => {
  expect(kindOf(999)).toBeUndefined();
});

test("a picture has sides of 0 to 100,000 pixels", () => {
  const image = { originUrl: url, thumbUrl: url, width: 0, height: 100_000 };
  expect(isAccepted(MessageType.IMAGE, image)).toBe(true);
  expect(isAccepted(MessageType.IMAGE, { ...image, width: -1 })).toBe(false);
  expect(isAccepted(MessageType.IMAGE, { ...image, height: 100_001 })).toBe(false);
});

test("a file size and a duration are not negative", () => {
  expect(isAccepted(MessageType.FILE, { name: "a", size: 0, url })).toBe(true);
  expect(isAccepted(MessageType.FILE, { name: "a", size: -1, url })).toBe(false);
  expect(isAccepted(MessageType.FILE, { name: "a\0", size: 0, url })).toBe(false);
  expect(isAccepted(MessageType.AUDIO, { duration: 0, url })).toBe(true);
  expect(isAccepted(MessageType.AUDIO, { duration: -1, url })).toBe(false);
});

test("a location has a valid latitude and longitude, or words", () => {
  const place = (latitude: number | null, longitude: number | null, name = "", address = "") =>
    isAccepted(MessageType.LOCATION, { latitude, longitude, name, address });
  expect([place(90, 180), place(-90, -180), place(0, 0)]).toEqual([true, true, true]);
  expect([place(91, 0), place(-91, 0), place(0, 181), place(0, -181)]).not.toContain(true);
  expect([place(null, 0, "Bern"), place(0, null, "Bern")]).toEqual([false, false]);
  expect([place(null, null, "Bern"), place(null, null, "", "Main street")]).toEqual([true, true]);
  expect([place(null, null), place(null, null, " ", "\n")]).toEqual([false, false]);
});
