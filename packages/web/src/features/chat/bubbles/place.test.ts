import { describe, expect, it } from "vitest";
import { coordinatesText, mapUrl } from "./place.ts";

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
});
