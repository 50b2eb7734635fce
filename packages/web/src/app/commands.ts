import type { ComponentType } from "react";
import {
  Bookmark,
  Globe,
  Info,
  Keyboard,
  Lock,
  LogIn,
  LogOut,
  Megaphone,
  RotateCw,
  SlidersHorizontal,
  SunMoon,
  Trash2,
  UserRoundPen,
  UserRoundPlus,
  UsersRound,
  X,
  type LucideIcon,
} from "lucide-react";
import { currentText, setLanguage, type Translate } from "../kit/i18n/i18n.ts";
import { lazyScreen } from "../kit/loading/lazy-component.tsx";
import { LOCALES, LOCALE_NAMES } from "../kit/i18n/locale.ts";
import { goDown } from "../kit/dialogs/go-up.ts";
import { openDialog } from "../kit/dialogs/open-dialog.ts";
import type { CommandShortcut } from "../kit/settings/shortcuts.ts";
import { THEMES, setTheme } from "../kit/settings/appearance.ts";
import { toasts } from "../kit/dialogs/toasts.ts";

/** A command of the app. The switcher offers each; menus and shortcuts are made of it too. */
export interface AppCommand {
  readonly id: string;
  readonly name: (t: Translate) => string;
  readonly Icon: LucideIcon;
  /** Something will be lost. */
  readonly isDanger?: true;
  /** The part of the main menu, and of the page that a small screen has instead, in which it is. 0: at the top of that page only. */
  readonly menuPart?: 0 | 1 | 2 | 3;
  /** Where it leads on that page, instead of running. */
  readonly path?: string;
  readonly shortcut?: CommandShortcut;
  /** The browser's own shortcut with the same effect. */
  readonly browserKeys?: string;
  run(this: void): void;
}

const SAVED_PATH = "/home/me/saved";

/** All commands, in the order of the switcher. */
export const APP_COMMANDS: readonly AppCommand[] = [
  {
    id: "addFriend",
    name: (t) => t("friend.add"),
    Icon: UserRoundPlus,
    run: () => openDialog({ kind: "addFriend" }),
  },
  {
    id: "createGroup",
    name: (t) => t("groups.create"),
    Icon: UsersRound,
    run: () => openDialog({ kind: "createGroup" }),
  },
  {
    id: "joinGroup",
    name: (t) => t("groups.join"),
    Icon: LogIn,
    run: () => openDialog({ kind: "joinGroup" }),
  },
  {
    id: "profile",
    name: (t) => t("profile.title"),
    Icon: UserRoundPen,
    menuPart: 0,
    run: () => openDialog({ kind: "profile" }),
  },
  {
    id: "saved",
    name: (t) => t("saved.title"),
    Icon: Bookmark,
    menuPart: 1,
    path: SAVED_PATH,
    run: () => goDown(SAVED_PATH),
  },
  {
    id: "settings",
    name: (t) => t("menu.settings"),
    Icon: SlidersHorizontal,
    menuPart: 1,
    path: "/home/me/settings",
    run: opener(() => import("./settings-chunk.ts").then((part) => part.SettingsDialog)),
  },
  {
    id: "otherSettings",
    name: (t) => t("menu.otherSettings"),
    Icon: Lock,
    menuPart: 1,
    run: () => openDialog({ kind: "otherSettings" }),
  },
  {
    id: "broadcast",
    name: (t) => t("menu.broadcast"),
    Icon: Megaphone,
    menuPart: 1,
    run: () => openDialog({ kind: "broadcast" }),
  },
  ...THEMES.map((theme): AppCommand => ({
    id: `theme.${theme}`,
    name: (t) => t("search.themeCommand", { name: t(`theme.${theme}`) }),
    Icon: SunMoon,
    run: () => setTheme(theme),
  })),
  ...LOCALES.map((locale): AppCommand => ({
    id: `language.${locale}`,
    name: (t) => t("search.languageCommand", { name: LOCALE_NAMES[locale] }),
    Icon: Globe,
    run: () => void setLanguage(locale).catch(() => toasts.error(currentText()("failure.offline"))),
  })),
  {
    id: "shortcuts",
    name: (t) => t("keys.title"),
    Icon: Keyboard,
    shortcut: "keys",
    run: opener(() =>
      import("../features/switcher/shortcuts-dialog.tsx").then((part) => part.ShortcutsDialog),
    ),
  },
  {
    id: "refresh",
    name: (t) => t("menu.refresh"),
    Icon: RotateCw,
    menuPart: 2,
    browserKeys: "F5",
    run: () => location.reload(),
  },
  {
    id: "about",
    name: (t) => t("menu.about"),
    Icon: Info,
    menuPart: 2,
    run: opener(() => import("../features/settings/about.tsx").then((part) => part.AboutDialog)),
  },
  {
    id: "clearHistory",
    name: (t) => t("menu.clearHistory"),
    Icon: Trash2,
    isDanger: true,
    menuPart: 1,
    run: opener(() => import("../features/settings/clear-history.tsx").then((part) => part.ClearHistory)),
  },
  {
    id: "logout",
    name: (t) => t("menu.logout"),
    Icon: LogOut,
    menuPart: 3,
    run: opener(() => import("./confirm-logout.tsx").then((part) => part.ConfirmLogout)),
  },
  {
    id: "closeApp",
    name: (t) => t("menu.closeApp"),
    Icon: X,
    menuPart: 3,
    run: opener(() => import("./confirm-close-app.tsx").then((part) => part.ConfirmCloseApp)),
  },
];

/** Returns a function that opens a dialog which only its command opens. `load` must name the file. */
function opener(load: () => Promise<ComponentType<{ onClose: () => void }>>): () => void {
  const Dialog = lazyScreen(load);
  return () => openDialog({ kind: "command", Dialog });
}
