import { readDegrees } from "./degrees.ts";

/** What is typed about a place. */
export interface PlaceForm {
  readonly name: string;
  readonly address: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** A place as a message tells it; degrees are both there or both null. */
export interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly name: string;
  readonly address: string;
}

/** Which field keeps a place from being sent. */
export type PlaceFault = "words" | "latitude" | "longitude";

/** The place, or null and what is wrong: a name or an address will do, and so will degrees, of which one asks for the other. */
export function readPlace(form: PlaceForm): { place: Place | null; faults: readonly PlaceFault[] } {
  const name = form.name.trim();
  const address = form.address.trim();
  if (form.latitude.trim() === "" && form.longitude.trim() === "") {
    if (name === "" && address === "") return { place: null, faults: ["words"] };
    return { place: { latitude: null, longitude: null, name, address }, faults: [] };
  }
  const latitude = readDegrees(form.latitude, 90);
  const longitude = readDegrees(form.longitude, 180);
  if (latitude !== null && longitude !== null) {
    return { place: { latitude, longitude, name, address }, faults: [] };
  }
  const faults = [latitude === null && "latitude", longitude === null && "longitude"] as const;
  return { place: null, faults: faults.filter((fault) => fault !== false) };
}
