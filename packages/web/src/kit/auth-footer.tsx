import { useText } from "./i18n.ts";
import { useClient } from "./use-client.ts";

/** Shows the version and the server in use. */
export function AuthFooter() {
  const t = useText();
  const client = useClient();
  const server = client.session.customServer();
  return (
    <>
      <span>{t("app.version", { version: __APP_VERSION__ })}</span>
      <span>{t("app.server", { host: hostOf(server === "" ? location.origin : server) })}</span>
    </>
  );
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
