import { Globe, PanelLeftClose, PanelLeftOpen, ShieldCheck, SunMoon } from "lucide-react";
import { useLocation } from "wouter";
import { APP_COMMANDS, type AppCommandId } from "../kit/app-commands.tsx";
import { setLanguage, useLocale, useText } from "../kit/i18n.ts";
import { LOCALES, LOCALE_NAMES } from "../kit/locale.ts";
import { THEMES, setTheme, useTheme } from "../kit/theme.ts";
import { toasts } from "../kit/toasts.ts";
import { useClientState } from "../kit/use-client.ts";
import { ICON_PROPS } from "../ui/icon-props.ts";
import { usePaneLayout } from "../ui/list-pane.tsx";
import { MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../ui/menu.tsx";

/** The items of the shell's popup menu (spec §2). */
export function MainMenuItems() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const { isCollapsed, setCollapsed } = usePaneLayout();
  const isAdmin = useClientState((state) => state.me?.isAdmin === true);
  const [, navigate] = useLocation();
  return (
    <>
      <SubMenu icon={<Globe {...ICON_PROPS} />} label={t("app.language")}>
        <MenuRadioGroup
          label={t("app.language")}
          value={locale}
          items={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={(value) => void setLanguage(value).catch(() => toasts.error(t("failure.offline")))}
        />
      </SubMenu>
      <SubMenu icon={<SunMoon {...ICON_PROPS} />} label={t("app.theme")}>
        <MenuRadioGroup
          label={t("app.theme")}
          value={theme}
          items={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
          onChange={setTheme}
        />
      </SubMenu>
      <MenuItem
        icon={isCollapsed ? <PanelLeftOpen {...ICON_PROPS} /> : <PanelLeftClose {...ICON_PROPS} />}
        onSelect={() => setCollapsed(!isCollapsed)}
      >
        {t(isCollapsed ? "app.expandList" : "app.collapseList")}
      </MenuItem>
      <MenuSeparator />
      <CommandItem id="settings" />
      <CommandItem id="otherSettings" />
      <CommandItem id="broadcast" />
      <CommandItem id="clearHistory" />
      {isAdmin && (
        <MenuItem icon={<ShieldCheck {...ICON_PROPS} />} onSelect={() => navigate("/admin")}>
          {t("menu.administration")}
        </MenuItem>
      )}
      <MenuSeparator />
      <CommandItem id="refresh" />
      <CommandItem id="about" />
      <MenuSeparator />
      <CommandItem id="logout" />
      <CommandItem id="closeApp" />
    </>
  );
}

function CommandItem({ id }: { id: AppCommandId }) {
  const t = useText();
  const { name, run, ...look } = APP_COMMANDS[id];
  return (
    <MenuItem {...look} onSelect={run}>
      {t(name)}
    </MenuItem>
  );
}
