/** The administration and its texts, which nobody else loads. */
import { AdminScreen } from "../features/admin/admin-screen.tsx";
import { SetupScreen } from "../features/admin/setup-screen.tsx";
import { type TextsByLocale, loadFurtherTexts } from "../kit/i18n/i18n.ts";

const TEXTS: TextsByLocale = {
  "zh-CN": () => import("../locales/admin/zh-CN.json?lingui"),
  "en-US": () => import("../locales/admin/en-US.json?lingui"),
  "zh-TW": () => import("../locales/admin/zh-TW.json?lingui"),
};

/** Resolves when the screens can be shown. */
export async function loadAdminScreens() {
  await loadFurtherTexts(TEXTS);
  return { AdminScreen, SetupScreen };
}
