import { AuthFrame, type AuthFrameProps } from "../../ui/auth-frame.tsx";
import { GlobeIcon } from "../../ui/icons.tsx";
import { InlineSelect } from "../../ui/inline-select.tsx";
import { LOCALE_NAMES, LOCALES, isLocale } from "../i18n/locale.ts";
import { desktopBridge } from "../settings/desktop.ts";
import { setLanguage, useLocale, useText } from "../i18n/i18n.ts";
import { useClient } from "../loading/use-client.ts";

/** A screen before sign-in: its card, the choice of the language, the version and the server in use. */
export function AuthScreen(props: Omit<AuthFrameProps, "corner" | "footer">) {
  return <AuthFrame {...props} corner={<LanguagePicker />} footer={<Footer />} />;
}

/** A native select with the three languages, each by its own name. */
function LanguagePicker() {
  const t = useText();
  const locale = useLocale();
  return (
    <InlineSelect
      label={t("app.language")}
      icon={<GlobeIcon />}
      value={locale}
      onChange={(value) => {
        if (isLocale(value)) void setLanguage(value).catch(() => undefined);
      }}
      options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
    />
  );
}

function Footer() {
  const t = useText();
  const { session } = useClient();
  const server = session.customServer();
  // The page of the desktop application is of no server.
  const host =
    server === "" && desktopBridge() !== null ? "" : hostOf(server === "" ? location.origin : server);
  return (
    <>
      <span>{t("app.version", { version: __APP_VERSION__ })}</span>
      {host !== "" && <span>{t("app.server", { host })}</span>}
    </>
  );
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
