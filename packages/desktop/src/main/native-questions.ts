/** Questions that the page cannot ask, because it does not run. */
import type { ElectronParts } from "./electron-parts.ts";
import type { Translate } from "./texts.ts";

export interface NativeQuestions {
  /** What closing the window means. Null: the person closes it not. */
  askClosing(): Promise<{ action: "quit" | "hide"; isRemembered: boolean } | null>;
  askAfterCrash(): Promise<"reload" | "quit">;
}

export function createNativeQuestions(dialog: ElectronParts["dialog"], t: Translate): NativeQuestions {
  return {
    askClosing: async () => {
      const { response, checkboxChecked } = await dialog.showMessageBox({
        type: "question",
        message: t("desktop.dialog.close"),
        buttons: [t("desktop.dialog.background"), t("desktop.dialog.quit"), t("desktop.dialog.cancel")],
        defaultId: 0,
        cancelId: 2,
        noLink: true,
        checkboxLabel: t("desktop.dialog.remember"),
      });
      const action = (["hide", "quit"] as const)[response];
      return action === undefined ? null : { action, isRemembered: checkboxChecked };
    },
    askAfterCrash: async () => {
      const { response } = await dialog.showMessageBox({
        type: "error",
        message: t("desktop.dialog.crash"),
        detail: t("desktop.dialog.crashDetail"),
        buttons: [t("desktop.dialog.reload"), t("desktop.dialog.quit")],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      return response === 1 ? "quit" : "reload";
    },
  };
}
