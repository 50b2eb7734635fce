import { loadTexts } from "../kit/i18n.ts";

/** The settings with their texts. */
export async function loadSettings() {
  const [part] = await Promise.all([import("../features/settings/settings.ts"), loadTexts("late")]);
  return part;
}
