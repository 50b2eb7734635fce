import { describe, expect, it } from "vitest";
import { coordinatesText, mapUrl, readDegrees } from "./place.ts";

describe("a place", () => {
  const shanghai = { latitude: 31.230416, longitude: -121.4737 };

  it("is told to the fifth digit", () => {
    expect(coordinatesText(shanghai)).toBe("31.23042, -121.47370");
  });

  it("leads to a map, over https and with numbers alone", () => {
    expect(mapUrl(shanghai)).toBe(
      "https://www.openstreetmap.org/?mlat=31.230416&mlon=-121.473700#map=16/31.230416/-121.473700",
    );
  });

  it("is typed in degrees, inside the globe", () => {
    expect(readDegrees(" 31.2304 ", 90)).toBe(31.2304);
    expect(readDegrees("31,2304", 90)).toBe(31.2304);
    expect(readDegrees("-180", 180)).toBe(-180);
    for (const wrong of ["", "91", "north", "1e2", "31.2.3", "--1"])
      expect(readDegrees(wrong, 90)).toBeNull();
  });
});
