import {
  Globe,
  Info,
  Lock,
  LogOut,
  PanelLeftClose,
  PanelLeftOpen,
  RotateCw,
  SlidersHorizontal,
  SunMoon,
  Trash2,
} from "lucide-react";
import { setLanguage, useLocale, useText } from "../kit/i18n.ts";
import { openDialog } from "../kit/dialogs.ts";
import { LOCALES, LOCALE_NAMES } from "../kit/locale.ts";
import { THEMES, setTheme, useTheme } from "../kit/theme.ts";
import { toasts } from "../kit/toasts.ts";
import { ICON } from "../ui/icon.ts";
import { usePaneLayout } from "../ui/list-pane.tsx";
import { MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../ui/menu.tsx";

/** The popup menu of the shell (spec §2), with what exists by now. */
export function MainMenuItems() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const { isCollapsed, setCollapsed } = usePaneLayout();
  return (
    <>
      <SubMenu icon={<Globe {...ICON} />} label={t("app.language")}>
        <MenuRadioGroup
          label={t("app.language")}
          value={locale}
          items={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={(value) => void setLanguage(value).catch(() => toasts.error(t("failure.offline")))}
        />
      </SubMenu>
      <SubMenu icon={<SunMoon {...ICON} />} label={t("app.theme")}>
        <MenuRadioGroup
          label={t("app.theme")}
          value={theme}
          items={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
          onChange={setTheme}
        />
      </SubMenu>
      <MenuItem
        icon={isCollapsed ? <PanelLeftOpen {...ICON} /> : <PanelLeftClose {...ICON} />}
        onSelect={() => setCollapsed(!isCollapsed)}
      >
        {t(isCollapsed ? "app.expandList" : "app.collapseList")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<SlidersHorizontal {...ICON} />} onSelect={() => openDialog({ kind: "settings" })}>
        {t("menu.settings")}
      </MenuItem>
      <MenuItem icon={<Lock {...ICON} />} onSelect={() => openDialog({ kind: "otherSettings" })}>
        {t("menu.otherSettings")}
      </MenuItem>
      <MenuItem icon={<Trash2 {...ICON} />} isDanger onSelect={() => openDialog({ kind: "clearHistory" })}>
        {t("menu.clearHistory")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<RotateCw {...ICON} />} keys="F5" onSelect={() => location.reload()}>
        {t("menu.refresh")}
      </MenuItem>
      <MenuItem icon={<Info {...ICON} />} onSelect={() => openDialog({ kind: "about" })}>
        {t("menu.about")}
      </MenuItem>
      <MenuItem icon={<LogOut {...ICON} />} onSelect={() => openDialog({ kind: "confirmLogout" })}>
        {t("menu.logout")}
      </MenuItem>
    </>
  );
}
