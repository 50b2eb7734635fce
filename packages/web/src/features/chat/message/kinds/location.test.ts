import { describe, expect, test } from "vitest";
import { coordinatesText, mapSearchUrl, mapUrl } from "./location.tsx";

describe("a location", () => {
  const shanghai = { latitude: 31.230416, longitude: -121.4737 };

  test("shows coordinates with five decimals", () => {
    expect(coordinatesText(shanghai)).toBe("31.23042, -121.47370");
  });

  test("links to a map over https with coordinates only", () => {
    expect(mapUrl(shanghai)).toBe(
      "https://www.openstreetmap.org/?mlat=31.230416&mlon=-121.473700#map=16/31.230416/-121.473700",
    );
  });

  test("M136 a location without coordinates links to a search on the map", () => {
    expect(mapSearchUrl({ name: " A&B #1 ", address: "外滩" })).toBe(
      "https://www.openstreetmap.org/search?query=A%26B%20%231%20%E5%A4%96%E6%BB%A9",
    );
    expect(mapSearchUrl({ name: "", address: "x" })).toBe("https://www.openstreetmap.org/search?query=x");
  });
});
