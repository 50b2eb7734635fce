import { openDialog } from "../../kit/open-dialog.ts";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { BlockedUsers } from "./blocked-users.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Who may not write. Who may become a friend is the spec's "other settings", to which this leads. */
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
