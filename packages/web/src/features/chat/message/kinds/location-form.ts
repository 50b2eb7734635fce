import { isVisible } from "@parley/protocol/text";
/** The typed values of the location form. */
export interface LocationForm {
  readonly name: string;
  readonly address: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** The content of a location message. Latitude and longitude are both given or both null. */
export interface LocationContent {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly name: string;
  readonly address: string;
}

/** Which field is invalid; "words": name and address are both missing. */
export type LocationError = "words" | "latitude" | "longitude";

/** The location, or null with the errors. It needs a name, an address, or both coordinates. */
export function parseLocation(form: LocationForm): {
  locationContent: LocationContent | null;
  errors: readonly LocationError[];
} {
  const name = form.name.trim();
  const address = form.address.trim();
  if (form.latitude.trim() === "" && form.longitude.trim() === "") {
    if (!isVisible(name + address)) return { locationContent: null, errors: ["words"] };
    return { locationContent: { latitude: null, longitude: null, name, address }, errors: [] };
  }
  const latitude = parseDegrees(form.latitude, 90);
  const longitude = parseDegrees(form.longitude, 180);
  if (latitude !== null && longitude !== null) {
    return { locationContent: { latitude, longitude, name, address }, errors: [] };
  }
  const errors = [latitude === null && "latitude", longitude === null && "longitude"] as const;
  return { locationContent: null, errors: errors.filter((error) => error !== false) };
}

/** Parses typed degrees, with a decimal point or comma and an optional sign; null if invalid or out of range. */
export function parseDegrees(text: string, max: 90 | 180): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (!/^[+-]?\d{1,3}(\.\d+)?$/.test(trimmed)) return null;
  const degrees = Number(trimmed);
  return Math.abs(degrees) <= max ? degrees : null;
}
