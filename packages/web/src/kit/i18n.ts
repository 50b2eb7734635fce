import { create } from "zustand";
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

type Messages = Readonly<Record<string, CompiledText>>;

const CATALOGUES: Readonly<Record<Locale, () => Promise<{ messages: Readonly<Record<string, unknown>> }>>> = {
  "zh-CN": () => import("../locales/zh-CN.json?lingui"),
  "en-US": () => import("../locales/en-US.json?lingui"),
  "zh-TW": () => import("../locales/zh-TW.json?lingui"),
};

interface Language {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly text: Text;
}

const useLanguage = create<Language>(() => ({ locale: "en-US", messages: {}, text: (id) => id }));
let wantedLocale: Locale | null = null;

/** Switches to a language; on failure (no network) the current one stays. */
async function applyLanguage(locale: Locale): Promise<boolean> {
  wantedLocale = locale;
  const messages = (await CATALOGUES[locale]()).messages as Messages;
  // A later choice wins over an earlier one that loads more slowly.
  if (wantedLocale !== locale) return false;
  document.documentElement.lang = locale;
  const text: Text = (id, params = {}) => formatText(messages[id] ?? id, params, locale);
  useLanguage.setState({ locale, messages, text });
  return true;
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
  return useLanguage.getState().locale;
}

/** For code outside components. Call it each time, because the function changes with the language. */
export function currentText(): Text {
  return useLanguage.getState().text;
}

/** Whether there is a text with this id. A newer server may send an error key that this client has no text for. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(useLanguage.getState().messages, id);
}

/** The function that returns texts in the current language. Renders again when the language changes. */
export function useText(): Text {
  return useLanguage(({ text }) => text);
}

/** The current language. Renders again when it changes. */
export function useLocale(): Locale {
  return useLanguage(({ locale }) => locale);
}
