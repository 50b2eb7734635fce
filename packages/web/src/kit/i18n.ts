import { setupI18n } from "@lingui/core";
import type { Messages } from "@lingui/core";
import { useSyncExternalStore } from "react";
import type zhCN from "../locales/zh-CN.json";
import { chooseLocale } from "./locale.ts";
import type { Locale } from "./locale.ts";
import { readPreference, writePreference } from "./preferences.ts";

/** Every text of the client; zh-CN.json is the list. */
export type TextId = keyof typeof zhCN;
export type TextParams = Readonly<Record<string, string | number>>;
/** Says a text in the language shown. A new function after each change of language. */
export type Text = (id: TextId, params?: TextParams) => string;

const CATALOGUES: Readonly<Record<Locale, () => Promise<{ messages: Messages }>>> = {
  "zh-CN": () => import("../locales/zh-CN.json?lingui"),
  "en-US": () => import("../locales/en-US.json?lingui"),
  "zh-TW": () => import("../locales/zh-TW.json?lingui"),
};

/** What only parts loaded on use say (vite.config.ts lists them). */
const LATE: Readonly<Record<Locale, () => Promise<{ messages: Messages }>>> = {
  "zh-CN": () => import("../locales/zh-CN.json?late?lingui"),
  "en-US": () => import("../locales/en-US.json?late?lingui"),
  "zh-TW": () => import("../locales/zh-TW.json?late?lingui"),
};

const i18n = setupI18n();
const listeners = new Set<() => void>();

interface Spoken {
  readonly locale: Locale;
  readonly say: Text;
}

let spoken: Spoken = { locale: "en-US", say: (id) => id };
let wanted: Locale = spoken.locale;
let hasLate = false;

/** Shows a language; on failure (no network) the present one stays. */
async function speak(locale: Locale): Promise<boolean> {
  wanted = locale;
  const [first, late] = await Promise.all([CATALOGUES[locale](), hasLate ? LATE[locale]() : null]);
  // A later choice wins over a slower earlier one.
  if (wanted !== locale) return false;
  i18n.loadAndActivate({ locale, messages: { ...first.messages, ...late?.messages } });
  spoken = { locale, say: (id, params) => i18n._(id, params) };
  document.documentElement.lang = locale;
  for (const listener of listeners) listener();
  return true;
}

/** Whoever loads a part whose texts are late waits for them too; rejects without a network. */
export async function loadLateTexts(): Promise<void> {
  if (hasLate) return;
  hasLate = true;
  try {
    await speak(wanted);
  } catch (error) {
    hasLate = false;
    throw error;
  }
}

/** At start, before the first screen: the saved language or the browser's. */
export async function startLanguage(browserLanguage: string): Promise<void> {
  await speak(chooseLocale(readPreference("language"), browserLanguage));
}

/** The person's choice; kept for the next time. */
export async function setLanguage(locale: Locale): Promise<void> {
  if (await speak(locale)) writePreference("language", locale);
}

export function currentLocale(): Locale {
  return spoken.locale;
}

/** For code outside components; call it anew each time. */
export function currentText(): Text {
  return spoken.say;
}

/** Whether a text of this id exists: a newer server may name a refusal this client has no words for. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(i18n.messages, id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useText(): Text {
  return useSyncExternalStore(subscribe, currentText);
}

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale);
}
