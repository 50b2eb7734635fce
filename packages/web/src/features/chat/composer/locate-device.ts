export interface DevicePosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** Why a device does not tell where it is. */
export type LocateDeviceError = "refused" | "unknown" | "late" | "insecure";

const WAIT_MS = 10_000;

/** Where this device is; the browser asks the person first. */
export function locateDevice(): Promise<DevicePosition | LocateDeviceError> {
  // Browsers tell it to pages over https alone.
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
