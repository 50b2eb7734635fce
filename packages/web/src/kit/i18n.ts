import { useSyncExternalStore } from "react";
import type zhCN from "../locales/zh-CN.json";
import { chooseLocale } from "./locale.ts";
import type { Locale } from "./locale.ts";
import { readPreference, writePreference } from "./preferences.ts";
import { type CompiledText, formatText } from "./format-text.ts";

/** Every text of the client; zh-CN.json is the list. */
export type TextId = keyof typeof zhCN;
export type TextParams = Readonly<Record<string, string | number>>;
/** Says a text in the language shown. A new function after each change of language. */
export type Text = (id: TextId, params?: TextParams) => string;

/** A catalogue comes in parts (vite.config.ts says what is where): before signing in, for who registers, for who is signed in, and what is loaded on use. */
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
let wanted: Locale = currentLanguage.locale;
/** Parts asked for, and what came of them in each language. */
const parts = new Map<Part, Promise<unknown>>([["first", Promise.resolve()]]);
const loaded = new Map<string, Messages>();

/** Shows a language; on failure (no network) the present one stays. */
async function applyLanguage(locale: Locale): Promise<boolean> {
  wanted = locale;
  const names = [...parts.keys()];
  const catalogues = await Promise.all(names.map((part) => CATALOGUES[locale][part]()));
  names.forEach((part, i) => loaded.set(`${locale} ${part}`, (catalogues[i]?.messages ?? {}) as Messages));
  // A later choice wins over a slower earlier one.
  if (wanted !== locale) return false;
  // A part that was asked for later may have come earlier.
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

/** Whoever loads a part of the program waits for its texts too; rejects without a network. */
export function loadTexts(part: Part): Promise<unknown> {
  const running = parts.get(part);
  if (running !== undefined) return running;
  // Begins in the next turn, when the part is among those that are asked for.
  const loading = Promise.resolve().then(() => applyLanguage(wanted));
  parts.set(part, loading);
  loading.catch(() => parts.delete(part));
  return loading;
}

/** Fetches the texts that come with what is loaded on use, so that they are here without a network; nothing is drawn anew. */
export function preloadTexts(): Promise<unknown> {
  return CATALOGUES[wanted].lazy();
}

/** At start, before the first screen: the saved language or the browser's. */
export async function startLanguage(browserLanguage: string): Promise<void> {
  await applyLanguage(chooseLocale(readPreference("language"), browserLanguage));
}

/** The person's choice; kept for the next time. */
export async function setLanguage(locale: Locale): Promise<void> {
  if (await applyLanguage(locale)) writePreference("language", locale);
}

export function currentLocale(): Locale {
  return currentLanguage.locale;
}

/** For code outside components; call it anew each time. */
export function currentText(): Text {
  return currentLanguage.text;
}

/** Whether a text of this id exists: a newer server may name a refusal this client has no words for. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(messages, id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useText(): Text {
  return useSyncExternalStore(subscribe, currentText, currentText);
}

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale, currentLocale);
}
