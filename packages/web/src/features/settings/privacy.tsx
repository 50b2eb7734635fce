import { openDialog } from "../../kit/open-dialog.ts";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { BlockedUsers } from "./blocked-users.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Privacy settings: the blocked people, and a link to the spec's "other settings", which decide who may become a friend. */
export function Privacy() {
  const t = useText();
  return (
    <>
      <SettingRow label={t("settings.approve")} hint={t("settings.approveWhere")}>
        {() => (
          <Button size="small" onClick={() => openDialog({ kind: "otherSettings" })}>
            {t("menu.otherSettings")}
          </Button>
        )}
      </SettingRow>
      <BlockedUsers />
    </>
  );
}
