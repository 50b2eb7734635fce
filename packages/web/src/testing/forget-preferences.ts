// What a test file of the web client saves, such as a language, must not reach the next file of the same worker.
import { afterAll } from "vitest";
import { setPreferenceStore } from "../kit/settings/preferences.ts";

afterAll(() => {
  setPreferenceStore({ get: () => null, set: () => undefined, remove: () => undefined });
});
