import { Globe, ShieldCheck, SunMoon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { AvatarOpener } from "../kit/people/avatar-opener.tsx";
import type { EntryState } from "../kit/dialogs/go-up.ts";
import { setLanguage, useLocale, useText } from "../kit/i18n/i18n.ts";
import { LOCALES, LOCALE_NAMES, isLocale } from "../kit/i18n/locale.ts";
import { myIdOf, usePerson } from "../kit/people/person.ts";
import { THEMES, setTheme, useTheme } from "../kit/settings/appearance.ts";
import { toasts } from "../kit/dialogs/toasts.ts";
import { useClientState } from "../kit/loading/use-client.ts";
import { Avatar } from "../ui/avatar.tsx";
import { classNames } from "../ui/class-names.ts";
import { ICON_PROPS } from "../ui/icon-props.ts";
import { MainPane } from "../ui/list-pane.tsx";
import { InlineSelect } from "../ui/inline-select.tsx";
import { Row, Stack, Text } from "../ui/layout.tsx";
import { APP_COMMANDS, type AppCommand } from "./commands.ts";
import styles from "./me-screen.module.css";

/** The fourth tab of a small screen: the own profile, and the items of the desktop's popup menu. */
export function MeScreen() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const id = useClientState(myIdOf);
  const userName = useClientState((state) => state.me?.userName ?? "");
  const isAdmin = useClientState((state) => state.me?.isAdmin === true);
  const me = usePerson(id);
  return (
    <MainPane label={t("nav.me")} background="window">
      <div className={styles.page}>
        <Row as="header" gap={16} paddingX={16} paddingY={24}>
          <AvatarOpener name={me.name} url={me.wholePicture} thumbUrl={me.picture}>
            <Avatar name={me.name} id={id} url={me.picture} size={64} />
          </AvatarOpener>
          <Stack shrink>
            <h1 className={styles.name}>{me.name}</h1>
            <Text as="p" size={13} tone="tertiary">
              {userName}
            </Text>
          </Stack>
        </Row>
        <ul className={styles.rows}>
          <CommandRows part={0} />
          <ChoiceRow icon={<Globe {...ICON_PROPS} />} name={t("app.language")}>
            <InlineSelect
              label={t("app.language")}
              value={locale}
              options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
              onChange={(value) => {
                if (isLocale(value)) void setLanguage(value).catch(() => toasts.error(t("failure.offline")));
              }}
            />
          </ChoiceRow>
          <ChoiceRow icon={<SunMoon {...ICON_PROPS} />} name={t("app.theme")}>
            <InlineSelect
              label={t("app.theme")}
              value={theme}
              options={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
              onChange={(value) => {
                const selected = THEMES.find((candidate) => candidate === value);
                if (selected !== undefined) setTheme(selected);
              }}
            />
          </ChoiceRow>
          <CommandRows part={1} />
          {isAdmin && (
            <li>
              <Link href="/admin" className={styles.row}>
                <ShieldCheck {...ICON_PROPS} />
                {t("menu.administration")}
              </Link>
            </li>
          )}
          <CommandRows part={2} />
          <CommandRows part={3} />
        </ul>
      </div>
    </MainPane>
  );
}

function ChoiceRow({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <li className={styles.row}>
      {icon}
      <span className={styles.words} aria-hidden="true">
        {name}
      </span>
      {children}
    </li>
  );
}

function CommandRows({ part }: { part: AppCommand["menuPart"] }) {
  const t = useText();
  return APP_COMMANDS.filter(({ menuPart }) => menuPart === part).map((command) => {
    const { id, name, Icon, isDanger = false, path, run } = command;
    const content = (
      <>
        <Icon {...ICON_PROPS} />
        {name(t)}
      </>
    );
    return (
      <li key={id}>
        {path === undefined ? (
          <button type="button" className={classNames(styles.row, isDanger && styles.danger)} onClick={run}>
            {content}
          </button>
        ) : (
          <Link href={path} state={{ below: "/home/me" } satisfies EntryState} className={styles.row}>
            {content}
          </Link>
        )}
      </li>
    );
  });
}
