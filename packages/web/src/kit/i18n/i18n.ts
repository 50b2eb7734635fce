import { create } from "zustand";
import { useMemo } from "react";
import type { DomainErrorKey } from "@parley/protocol/envelope";
import type adminZhCN from "../../locales/admin/zh-CN.json";
import type zhCN from "../../locales/zh-CN.json";
import { chooseLocale } from "./locale.ts";
import type { Locale } from "./locale.ts";
import { readPreference, writePreference } from "../settings/preferences.ts";
import { type CompiledText, formatText } from "./format-text.ts";
import type { UiTexts } from "../../ui/ui-texts.ts";

/** Every text of the client: those of both files of a language, and those that the build takes from the sentences of the protocol. */
export type TextId = keyof typeof zhCN | keyof typeof adminZhCN | `error.${DomainErrorKey}`;
/** Values for the placeholders of a text. */
export type TextParams = Readonly<Record<string, string | number>>;
/** Returns a text in the current language. It is a new function after each change of language. */
export type Translate = (id: TextId, params?: TextParams) => string;

type Messages = Record<string, CompiledText>;

type LoadTexts = () => Promise<{ messages: Readonly<Record<string, unknown>> }>;

/** Texts in each language, to be loaded when they are needed. */
export type TextsByLocale = Readonly<Record<Locale, LoadTexts>>;

/** The texts of each language, without those of the administration. */
const TEXTS: TextsByLocale = {
  "zh-CN": () => import("../../locales/zh-CN.json?lingui"),
  "en-US": () => import("../../locales/en-US.json?lingui"),
  "zh-TW": () => import("../../locales/zh-TW.json?lingui"),
};

/** What another language needs. */
const allTexts = new Set([TEXTS]);

interface Language {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly text: Translate;
}

const useLanguage = create<Language>(() => ({ locale: "en-US", messages: {}, text: (id) => id }));
let wantedLocale: Locale | null = null;

/** Switches to a language; on failure (no network) the current one stays. */
async function applyLanguage(locale: Locale, parts: readonly LoadTexts[]): Promise<boolean> {
  wantedLocale = locale;
  const loaded = await Promise.all(parts.map((load) => load()));
  // A later choice wins over an earlier one that loads more slowly.
  if (wantedLocale !== locale) return false;
  document.documentElement.lang = locale;
  const messages = Object.assign({}, ...loaded.map((part) => part.messages)) as Messages;
  const text: Translate = (id, params = {}) => formatText(messages[id] ?? id, params, locale);
  useLanguage.setState({ locale, messages, text });
  return true;
}

/** Loads the saved language or the browser's at start, before the first screen. */
export async function startLanguage(browserLanguage: string): Promise<void> {
  const locale = chooseLocale(readPreference("language"), browserLanguage);
  await applyLanguage(locale, [TEXTS[locale]]);
}

/** Switches to the language that the person chose, and saves the choice. */
export async function setLanguage(locale: Locale): Promise<void> {
  const parts = [...allTexts].map((texts) => texts[locale]);
  if (await applyLanguage(locale, parts)) writePreference("language", locale);
}

/** Loads texts that only a part of the program names. That part waits for them. */
export async function loadFurtherTexts(texts: TextsByLocale): Promise<void> {
  allTexts.add(texts);
  const { locale, messages } = useLanguage.getState();
  // Nothing that is on the screen names one of these texts, so nothing has to render again.
  Object.assign(messages, (await texts[locale]()).messages);
}

/** The current language, for code outside components. */
export function currentLocale(): Locale {
  return useLanguage.getState().locale;
}

/** For code outside components. Call it each time, because the function changes with the language. */
export function currentText(): Translate {
  return useLanguage.getState().text;
}

/** Whether there is a text with this id. A newer server may send an error key that this client has no text for. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(useLanguage.getState().messages, id);
}

/** The function that returns texts in the current language. Renders again when the language changes. */
export function useText(): Translate {
  return useLanguage(({ text }) => text);
}

/** The current language. Renders again when it changes. */
export function useLocale(): Locale {
  return useLanguage(({ locale }) => locale);
}

/** The texts for the components of `ui`, in the current language. */
export function useTranslatedUiTexts(): UiTexts {
  const t = useText();
  return useMemo(
    () => ({
      close: t("app.close"),
      showPassword: t("field.showPassword"),
      hidePassword: t("field.hidePassword"),
      loading: t("app.loading"),
      menu: t("nav.menu"),
      resizeList: t("app.resizeList"),
      notifications: t("app.notifications"),
    }),
    [t],
  );
}
