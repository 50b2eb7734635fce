import { forgetUserSettings } from "./user-settings.ts";

/** Beginning or part of the names of caches that hold the app itself, the same for everybody. */
const APP_CACHE = "precache";

/** Forgets the settings of a person in this browser, and the answers of the server that the browser has cached. */
export async function forgetLocalData(userId: number): Promise<void> {
  forgetUserSettings(userId);
  // Browsers have it on secure pages only.
  if (!("caches" in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => !name.includes(APP_CACHE)).map((name) => caches.delete(name)));
}
