import type { ReactNode } from "react";
import {
  Info,
  Lock,
  LogOut,
  Megaphone,
  RotateCw,
  SlidersHorizontal,
  Trash2,
  UserRoundPen,
  X,
} from "lucide-react";
import { ICON_PROPS } from "../ui/icon-props.ts";
import type { TextId } from "./i18n.ts";
import { openDialog } from "./open-dialog.ts";

/** A command that menus and the quick switcher offer on every screen. */
export interface AppCommand {
  readonly name: TextId;
  readonly icon: ReactNode;
  /** Something will be lost. */
  readonly isDanger?: boolean;
  /** Shortcut with the same effect. */
  readonly keys?: string;
  readonly run: () => void;
}

export type AppCommandId =
  | "profile"
  | "settings"
  | "otherSettings"
  | "broadcast"
  | "clearHistory"
  | "refresh"
  | "about"
  | "logout"
  | "closeApp";

/** The commands by their ids. */
export const APP_COMMANDS: Readonly<Record<AppCommandId, AppCommand>> = {
  profile: {
    name: "profile.title",
    icon: <UserRoundPen {...ICON_PROPS} />,
    run: () => openDialog({ kind: "profile" }),
  },
  settings: {
    name: "menu.settings",
    icon: <SlidersHorizontal {...ICON_PROPS} />,
    run: () => openDialog({ kind: "settings" }),
  },
  otherSettings: {
    name: "menu.otherSettings",
    icon: <Lock {...ICON_PROPS} />,
    run: () => openDialog({ kind: "otherSettings" }),
  },
  broadcast: {
    name: "menu.broadcast",
    icon: <Megaphone {...ICON_PROPS} />,
    run: () => openDialog({ kind: "broadcast" }),
  },
  clearHistory: {
    name: "menu.clearHistory",
    icon: <Trash2 {...ICON_PROPS} />,
    isDanger: true,
    run: () => openDialog({ kind: "clearHistory" }),
  },
  refresh: {
    name: "menu.refresh",
    icon: <RotateCw {...ICON_PROPS} />,
    keys: "F5",
    run: () => location.reload(),
  },
  about: { name: "menu.about", icon: <Info {...ICON_PROPS} />, run: () => openDialog({ kind: "about" }) },
  logout: {
    name: "menu.logout",
    icon: <LogOut {...ICON_PROPS} />,
    run: () => openDialog({ kind: "confirmLogout" }),
  },
  closeApp: {
    name: "menu.closeApp",
    icon: <X {...ICON_PROPS} />,
    run: () => openDialog({ kind: "confirmCloseApp" }),
  },
};
