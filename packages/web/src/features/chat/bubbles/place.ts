interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** 31.23042, 121.47370 */
export function coordinatesText({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

/** A page of a map that anybody can open. */
export function mapUrl({ latitude, longitude }: Place): string {
  const at = `${latitude.toFixed(6)}/${longitude.toFixed(6)}`;
  const pin = `mlat=${latitude.toFixed(6)}&mlon=${longitude.toFixed(6)}`;
  return `https://www.openstreetmap.org/?${pin}#map=16/${at}`;
}
