/** Degrees. */
export interface DevicePosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** Why the position of the device is not available. */
export type LocateDeviceError = "refused" | "unknown" | "late" | "insecure";

const WAIT_MS = 10_000;

/** The position of this device. The browser asks the person for permission. */
export function locateDevice(): Promise<DevicePosition | LocateDeviceError> {
  // Browsers give the position only to pages loaded over https.
  if (!window.isSecureContext || !("geolocation" in navigator)) return Promise.resolve("insecure");
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: coords.latitude, longitude: coords.longitude }),
      (error) => resolve(errorOf(error)),
      { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: 60_000 },
    );
  });
}

function errorOf(error: GeolocationPositionError): LocateDeviceError {
  if (error.code === error.PERMISSION_DENIED) return "refused";
  return error.code === error.TIMEOUT ? "late" : "unknown";
}
