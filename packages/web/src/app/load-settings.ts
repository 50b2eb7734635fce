import { loadTexts } from "../kit/i18n.ts";

/** The settings with their texts, as a dialog. */
export async function loadSettingsDialog() {
  const [part] = await Promise.all([
    import("../features/settings/settings-dialog.tsx").then(({ SettingsDialog }) => SettingsDialog),
    loadTexts("late"),
  ]);
  return part;
}

/** The same as a page, for small screens. */
export async function loadSettingsScreen() {
  const [part] = await Promise.all([
    import("../features/settings/settings-screen.tsx").then(({ SettingsScreen }) => SettingsScreen),
    loadTexts("late"),
  ]);
  return part;
}

export async function loadOtherSettings() {
  const [part] = await Promise.all([
    import("../features/settings/other-settings.tsx").then(({ OtherSettings }) => OtherSettings),
    loadTexts("late"),
  ]);
  return part;
}

export async function loadClearHistory() {
  const [part] = await Promise.all([
    import("../features/settings/clear-history.tsx").then(({ ClearHistory }) => ClearHistory),
    loadTexts("late"),
  ]);
  return part;
}

export async function loadAboutDialog() {
  const [part] = await Promise.all([
    import("../features/settings/about-dialog.tsx").then(({ AboutDialog }) => AboutDialog),
    loadTexts("late"),
  ]);
  return part;
}
