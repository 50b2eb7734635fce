import { useState } from "react";
import { exportData } from "@parley/protocol/endpoints/export";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { startDownload } from "../../kit/start-download.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { SettingRow } from "./setting-row.tsx";

const FILE_NAME = "parley-export.zip";

/** Downloads an archive of the person's own data. */
export function ExportData() {
  const t = useText();
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const link = await client.api.call(exportData, {}, { silent: true });
    setBusy(false);
    if (!link.ok) {
      toasts.error(failureText(link.failure, t));
      return;
    }
    startDownload(client.fileUrl(link.value.url), FILE_NAME);
    toasts.success(t("exportData.started"));
  };
  return (
    <SettingRow label={t("exportData.title")} hint={t("exportData.hint")}>
      {({ labelId, hintId }) => (
        <Button
          size="small"
          isBusy={isBusy}
          aria-describedby={`${labelId} ${hintId ?? ""}`}
          onClick={() => void download()}
        >
          {t("exportData.download")}
        </Button>
      )}
    </SettingRow>
  );
}
