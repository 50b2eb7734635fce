import { useState } from "react";
import { setLanguage, useLocale, useText } from "../../kit/i18n/i18n.ts";
import { LOCALES, LOCALE_NAMES } from "../../kit/i18n/locale.ts";
import { useUserSetting } from "../../kit/settings/user-settings.ts";
import {
  TEXT_SIZES,
  setTextSize,
  useTextSize,
  THEMES,
  setTheme,
  useTheme,
} from "../../kit/settings/appearance.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useHasCoarsePointer } from "../../ui/use-media.ts";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

/** General settings: appearance, language, and how one reads and sends. */
export function General() {
  const t = useText();
  const theme = useTheme();
  const textSize = useTextSize();
  const [sendKey, setSendKey] = useUserSetting("sendKey");
  const [openAt, setOpenAt] = useUserSetting("openAt");
  const [mutedGroups, setMutedGroups] = useUserSetting("mutedGroups");
  // With touch input people send by the button, so the send key matters only where the main pointer is a mouse.
  const isCoarse = useHasCoarsePointer();
  return (
    <>
      <SettingRow label={t("app.theme")}>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={theme}
            options={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
            onChange={setTheme}
          />
        )}
      </SettingRow>
      <Language />
      <SettingRow label={t("settings.textSize")} hint={t("settings.textSizeHint")}>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={textSize}
            options={TEXT_SIZES.map((value) => ({
              value,
              name: `${Math.round(Number(value) * 100)} %`,
              text: (
                <span
                  className={styles.size}
                  style={{ fontSize: `${Number(value) * 15}px` }}
                  aria-hidden="true"
                >
                  A
                </span>
              ),
            }))}
            onChange={setTextSize}
          />
        )}
      </SettingRow>
      <SettingRow label={t("settings.openAt")} hint={t("settings.openAtHint")}>
        {({ labelId }) => (
          <Segmented
            labelId={labelId}
            value={openAt}
            options={[
              { value: "firstUnread", text: t("settings.openAtFirstUnread") },
              { value: "newest", text: t("settings.openAtNewest") },
            ]}
            onChange={setOpenAt}
          />
        )}
      </SettingRow>
      <SettingRow label={t("settings.foldMuted")} hint={t("settings.foldMutedHint")}>
        {(ids) => (
          <Switch
            {...ids}
            isOn={mutedGroups === "folded"}
            onChange={(isOn) => setMutedGroups(isOn ? "folded" : "list")}
          />
        )}
      </SettingRow>
      {!isCoarse && (
        <SettingRow label={t("settings.sendKey")} hint={t("settings.sendKeyHint")}>
          {({ labelId }) => (
            <Segmented
              labelId={labelId}
              value={sendKey}
              options={[
                { value: "enter", text: "Enter" },
                { value: "ctrlEnter", text: isMac() ? "⌘ Enter" : "Ctrl + Enter" },
              ]}
              onChange={setSendKey}
            />
          )}
        </SettingRow>
      )}
    </>
  );
}

/** The language setting. The choice shows at once, although its texts may take a moment to load. */
function Language() {
  const t = useText();
  const locale = useLocale();
  const [selected, setSelected] = useState(locale);
  return (
    <SettingRow label={t("app.language")}>
      {({ labelId }) => (
        <Segmented
          labelId={labelId}
          value={selected}
          options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={(value) => {
            setSelected(value);
            setLanguage(value).catch(() => {
              setSelected(locale);
              toasts.error(t("failure.offline"));
            });
          }}
        />
      )}
    </SettingRow>
  );
}

function isMac(): boolean {
  return /Mac OS X|Macintosh/.test(navigator.userAgent);
}
