import { parseDegrees } from "./parse-degrees.ts";

/** What is typed about a place. */
export interface LocationForm {
  readonly name: string;
  readonly address: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** A place as a message tells it; degrees are both there or both null. */
export interface LocationContent {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly name: string;
  readonly address: string;
}

/** Which field keeps a place from being sent. */
export type LocationError = "words" | "latitude" | "longitude";

/** The place, or null and what is wrong: a name or an address will do, and so will degrees, of which one asks for the other. */
export function parseLocation(form: LocationForm): {
  locationContent: LocationContent | null;
  faults: readonly LocationError[];
} {
  const name = form.name.trim();
  const address = form.address.trim();
  if (form.latitude.trim() === "" && form.longitude.trim() === "") {
    if (name === "" && address === "") return { locationContent: null, faults: ["words"] };
    return { locationContent: { latitude: null, longitude: null, name, address }, faults: [] };
  }
  const latitude = parseDegrees(form.latitude, 90);
  const longitude = parseDegrees(form.longitude, 180);
  if (latitude !== null && longitude !== null) {
    return { locationContent: { latitude, longitude, name, address }, faults: [] };
  }
  const faults = [latitude === null && "latitude", longitude === null && "longitude"] as const;
  return { locationContent: null, faults: faults.filter((fault) => fault !== false) };
}
