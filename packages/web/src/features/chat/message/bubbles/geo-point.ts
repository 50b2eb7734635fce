interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

interface PlaceName {
  readonly name: string;
  readonly address: string;
}

/** 31.23042, 121.47370 */
export function coordinatesText({ latitude, longitude }: GeoPoint): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

const MAP = "https://www.openstreetmap.org";

/** A page of a map that anybody can open. */
export function mapUrl({ latitude, longitude }: GeoPoint): string {
  const at = `${latitude.toFixed(6)}/${longitude.toFixed(6)}`;
  const pin = `mlat=${latitude.toFixed(6)}&mlon=${longitude.toFixed(6)}`;
  return `${MAP}/?${pin}#map=16/${at}`;
}

/** Where that map looks for a place that is told in words alone. */
export function mapSearchUrl({ name, address }: PlaceName): string {
  const words = [name.trim(), address.trim()].filter(Boolean).join(" ");
  return `${MAP}/search?query=${encodeURIComponent(words)}`;
}
