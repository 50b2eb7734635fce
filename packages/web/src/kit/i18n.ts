import { useSyncExternalStore } from "react";
import type zhCN from "../locales/zh-CN.json";
import { chooseLocale } from "./locale.ts";
import type { Locale } from "./locale.ts";
import { readPreference, writePreference } from "./preferences.ts";
import { type CompiledText, formatText } from "./format-text.ts";

/** Every text of the client; zh-CN.json is the list. */
export type TextId = keyof typeof zhCN;
/** Values for the placeholders of a text. */
export type TextParams = Readonly<Record<string, string | number>>;
/** Returns a text in the current language. It is a new function after each change of language. */
export type Text = (id: TextId, params?: TextParams) => string;

/** Parts of a catalogue: before login, for registration, for the signed-in shell, and for lazy components. vite.config.ts defines them. */
type Part = "first" | "register" | "shell" | "lazy";
type Messages = Readonly<Record<string, CompiledText>>;
type Load = () => Promise<{ messages: Readonly<Record<string, unknown>> }>;

const CATALOGUES: Readonly<Record<Locale, Readonly<Record<Part, Load>>>> = {
  "zh-CN": {
    first: () => import("../locales/zh-CN.json?first?lingui"),
    register: () => import("../locales/zh-CN.json?register?lingui"),
    shell: () => import("../locales/zh-CN.json?shell?lingui"),
    lazy: () => import("../locales/zh-CN.json?lazy?lingui"),
  },
  "en-US": {
    first: () => import("../locales/en-US.json?first?lingui"),
    register: () => import("../locales/en-US.json?register?lingui"),
    shell: () => import("../locales/en-US.json?shell?lingui"),
    lazy: () => import("../locales/en-US.json?lazy?lingui"),
  },
  "zh-TW": {
    first: () => import("../locales/zh-TW.json?first?lingui"),
    register: () => import("../locales/zh-TW.json?register?lingui"),
    shell: () => import("../locales/zh-TW.json?shell?lingui"),
    lazy: () => import("../locales/zh-TW.json?lazy?lingui"),
  },
};

let messages: Messages = {};
const listeners = new Set<() => void>();

interface CurrentLanguage {
  readonly locale: Locale;
  readonly text: Text;
}

let currentLanguage: CurrentLanguage = { locale: "en-US", text: (id) => id };
let wantedLocale: Locale = currentLanguage.locale;
/** Parts that have been requested, and the loaded messages of each language. */
const parts = new Map<Part, Promise<unknown>>([["first", Promise.resolve()]]);
const loaded = new Map<string, Messages>();

/** Switches to a language; on failure (no network) the current one stays. */
async function applyLanguage(locale: Locale): Promise<boolean> {
  wantedLocale = locale;
  const names = [...parts.keys()];
  const catalogues = await Promise.all(names.map((part) => CATALOGUES[locale][part]()));
  names.forEach((part, i) => loaded.set(`${locale} ${part}`, (catalogues[i]?.messages ?? {}) as Messages));
  // A later choice wins over an earlier one that loads more slowly.
  if (wantedLocale !== locale) return false;
  // A part that was requested meanwhile may already be loaded.
  const known: Messages = Object.assign(
    {},
    ...[...parts.keys()].map((part) => loaded.get(`${locale} ${part}`)),
  );
  messages = known;
  currentLanguage = { locale, text: (id, params = {}) => formatText(known[id] ?? id, params, locale) };
  document.documentElement.lang = locale;
  for (const listener of listeners) listener();
  return true;
}

/** Loads a part of the texts; code that loads a component waits for its texts too. Rejects without a network. */
export function loadTexts(part: Part): Promise<unknown> {
  const running = parts.get(part);
  if (running !== undefined) return running;
  // Start in the next microtask, when `parts` contains this part.
  const loading = Promise.resolve().then(() => applyLanguage(wantedLocale));
  parts.set(part, loading);
  loading.catch(() => parts.delete(part));
  return loading;
}

/** Downloads the lazy texts so that they are available offline. Renders nothing. */
export function preloadTexts(): Promise<unknown> {
  return CATALOGUES[wantedLocale].lazy();
}

/** Loads the saved language or the browser's at start, before the first screen. */
export async function startLanguage(browserLanguage: string): Promise<void> {
  await applyLanguage(chooseLocale(readPreference("language"), browserLanguage));
}

/** Switches to the language that the person chose, and saves the choice. */
export async function setLanguage(locale: Locale): Promise<void> {
  if (await applyLanguage(locale)) writePreference("language", locale);
}

/** The current language, for code outside components. */
export function currentLocale(): Locale {
  return currentLanguage.locale;
}

/** For code outside components. Call it each time, because the function changes with the language. */
export function currentText(): Text {
  return currentLanguage.text;
}

/** Whether a text with this id is loaded. A newer server may send an error key that this client has no text for. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(messages, id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The function that returns texts in the current language. Renders again when the language changes. */
export function useText(): Text {
  return useSyncExternalStore(subscribe, currentText, currentText);
}

/** The current language. Renders again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale, currentLocale);
}
