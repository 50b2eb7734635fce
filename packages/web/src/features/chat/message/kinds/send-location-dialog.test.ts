import { expect, test } from "vitest";
import { locationContent } from "@parley/protocol/message";
import { parseDegrees, parseLocation } from "./send-location-dialog.tsx";

const form = (name: string, address: string, latitude = "", longitude = "") =>
  parseLocation({ name, address, latitude, longitude });

test("M136 a location has a name or address, coordinates, or both", () => {
  const examples = [
    [form(" 外滩 ", ""), { latitude: null, longitude: null, name: "外滩", address: "" }],
    [form("", "No 1"), { latitude: null, longitude: null, name: "", address: "No 1" }],
    [form("", "", "31,2", "121.5"), { latitude: 31.2, longitude: 121.5, name: "", address: "" }],
    [form("a", "b", "-90", "180"), { latitude: -90, longitude: 180, name: "a", address: "b" }],
  ] as const;
  for (const [read, content] of examples) {
    expect(read).toEqual({ locationContent: content, errors: [] });
    expect(locationContent.safeParse(read.locationContent).success).toBe(true);
  }
});

test("M136 missing and invalid fields are reported", () => {
  const invalid = (...errors: string[]) => ({ locationContent: null, errors });
  expect(form(" ", "")).toEqual(invalid("words"));
  expect(form("a", "", "north", "0")).toEqual(invalid("latitude"));
  expect(form("a", "", "1", "")).toEqual(invalid("longitude"));
  expect(form("", "", "91", "181")).toEqual(invalid("latitude", "longitude"));
});

test("degrees are parsed; values that are no numbers or out of range are rejected", () => {
  expect(parseDegrees(" 31.2304 ", 90)).toBe(31.2304);
  expect(parseDegrees("31,2304", 90)).toBe(31.2304);
  expect(parseDegrees("-180", 180)).toBe(-180);
  for (const wrong of ["", "91", "north", "1e2", "31.2.3", "--1"]) expect(parseDegrees(wrong, 90)).toBeNull();
});
