import { expect, test } from "vitest";
import { locationContent } from "@parley/protocol/message";
import { parseLocation } from "./location-form.ts";

const form = (name: string, address: string, latitude = "", longitude = "") =>
  parseLocation({ name, address, latitude, longitude });

test("M136 a location has a name or address, coordinates, or both", () => {
  const places = [
    [form(" 外滩 ", ""), { latitude: null, longitude: null, name: "外滩", address: "" }],
    [form("", "No 1"), { latitude: null, longitude: null, name: "", address: "No 1" }],
    [form("", "", "31,2", "121.5"), { latitude: 31.2, longitude: 121.5, name: "", address: "" }],
    [form("a", "b", "-90", "180"), { latitude: -90, longitude: 180, name: "a", address: "b" }],
  ] as const;
  for (const [read, place] of places) {
    expect(read).toEqual({ locationContent: place, faults: [] });
    expect(locationContent.safeParse(read.locationContent).success).toBe(true);
  }
});

test("M136 what is missing or wrong is named", () => {
  const none = (...faults: string[]) => ({ locationContent: null, faults });
  expect(form(" ", "")).toEqual(none("words"));
  expect(form("a", "", "north", "0")).toEqual(none("latitude"));
  expect(form("a", "", "1", "")).toEqual(none("longitude"));
  expect(form("", "", "91", "181")).toEqual(none("latitude", "longitude"));
});
