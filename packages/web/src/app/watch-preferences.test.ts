import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setPreferenceStore } from "../kit/settings/preferences.ts";
import { watchPreferences } from "./watch-preferences.ts";

const stored = new Map<string, string>();
const style = new Map<string, string>();
const dataset: Record<string, string> = {};

beforeEach(() => {
  const documentElement = {
    dataset,
    style: {
      setProperty: (name: string, value: string) => style.set(name, value),
      removeProperty: (name: string) => style.delete(name),
    },
  };
  const page = new EventTarget();
  vi.stubGlobal("document", { documentElement, querySelector: () => null });
  vi.stubGlobal("getComputedStyle", () => ({ backgroundColor: "" }));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("dispatchEvent", page.dispatchEvent.bind(page));
  setPreferenceStore({
    get: (key) => stored.get(key) ?? null,
    set: (key, value) => void stored.set(key, value),
    remove: (key) => void stored.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

test("the theme and the text size that another tab chooses are applied here too", () => {
  watchPreferences();
  stored.set("parley.theme", "dark");
  stored.set("parley.textSize", "1.3");
  dispatchEvent(new Event("storage"));
  expect(dataset["theme"]).toBe("dark");
  expect(style.get("--text-scale")).toBe("1.3");
  stored.clear();
  dispatchEvent(new Event("storage"));
  expect(dataset["theme"]).toBeUndefined();
  expect(style.get("--text-scale")).toBeUndefined();
});
