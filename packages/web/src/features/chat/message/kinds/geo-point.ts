interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A location described by text only. */
interface AddressText {
  readonly name: string;
  readonly address: string;
}

/** The coordinates as text, such as "31.23042, 121.47370". */
export function coordinatesText({ latitude, longitude }: GeoPoint): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

const MAP_URL = "https://www.openstreetmap.org";

/** The URL of a public map page with a pin. */
export function mapUrl({ latitude, longitude }: GeoPoint): string {
  const center = `${latitude.toFixed(6)}/${longitude.toFixed(6)}`;
  const marker = `mlat=${latitude.toFixed(6)}&mlon=${longitude.toFixed(6)}`;
  return `${MAP_URL}/?${marker}#map=16/${center}`;
}

/** The URL of a search on that map, for a location without coordinates. */
export function mapSearchUrl({ name, address }: AddressText): string {
  const query = [name.trim(), address.trim()].filter(Boolean).join(" ");
  return `${MAP_URL}/search?query=${encodeURIComponent(query.toWellFormed())}`;
}
