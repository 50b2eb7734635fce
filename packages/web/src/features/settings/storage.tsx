import { useCallback, useEffect, useState } from "react";
import type { StorageUsage } from "@parley/core/chats/eviction";
import { DISK_LIMITS, type DiskLimit } from "@parley/core/model/disk-limit";
import { fileSize } from "@parley/core/model/format";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { InlineSelect } from "../../ui/inline-select.tsx";
import { SettingRow } from "./setting-row.tsx";

/** What this device keeps; `messages` null: nothing, because the browser refused. */
interface Storage {
  readonly messages: StorageUsage | null;
  /** Bytes of this site in the browser, and how many it may have; null: the browser does not say. */
  readonly site: { readonly used: number; readonly max: number } | null;
}

/** How much this device keeps of the person's messages: what there is, the limit, and clearing it. */
export function Storage() {
  const t = useText();
  const { storage } = useClient();
  const [found, setFound] = useState<Storage | null>(null);
  const [limit, setLimit] = useState(storage.limit);
  const measure = useCallback(
    () =>
      Promise.all([storage.usage(), siteUsage()]).then(([messages, site]) => setFound({ messages, site })),
    [storage],
  );
  useEffect(() => {
    void measure();
  }, [measure]);
  const changeLimit = async (bytes: DiskLimit) => {
    setLimit(bytes);
    await storage.setLimit(bytes);
    await measure();
  };
  const messages = found?.messages;
  return (
    <>
      <SettingRow
        label={t("settings.kept")}
        hint={
          <span role="status">
            {messages === undefined
              ? t("app.loading")
              : messages === null
                ? t("app.storageRefused")
                : t("settings.keptCount", {
                    messages: messages.messages,
                    chats: messages.chats,
                    size: fileSize(messages.bytes),
                  })}
          </span>
        }
      />
      {found?.site != null && (
        <SettingRow
          label={t("settings.site")}
          hint={t("settings.siteUse", { used: fileSize(found.site.used), max: fileSize(found.site.max) })}
        />
      )}
      <SettingRow label={t("settings.diskLimit")} hint={t("settings.diskLimitHint")}>
        {() => (
          <InlineSelect
            label={t("settings.diskLimit")}
            value={String(limit)}
            options={DISK_LIMITS.map((bytes) => ({ value: String(bytes), text: fileSize(bytes) }))}
            onChange={(text) => {
              const bytes = DISK_LIMITS.find((choice) => String(choice) === text);
              if (bytes !== undefined) void changeLimit(bytes);
            }}
          />
        )}
      </SettingRow>
      <ClearKept onCleared={measure} />
    </>
  );
}

/** Removes the messages of this account from this device, after a question. */
function ClearKept({ onCleared }: { onCleared: () => Promise<void> }) {
  const t = useText();
  const { storage } = useClient();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    const isCleared = await storage.clear();
    setBusy(false);
    setAsking(false);
    if (isCleared) toasts.success(t("settings.keptCleared"));
    else toasts.error(t("app.storageRefused"));
    await onCleared();
  };
  return (
    <SettingRow label={t("settings.clearKept")} hint={t("settings.clearKeptHint")}>
      {() => (
        <>
          <Button variant="danger" size="small" onClick={() => setAsking(true)}>
            {t("settings.clearKeptShort")}
          </Button>
          <ConfirmDialog
            isOpen={isAsking}
            title={t("settings.clearKeptTitle")}
            body={t("settings.clearKeptBody")}
            confirmLabel={t("settings.clearConfirm")}
            cancelLabel={t("app.cancel")}
            isDanger
            isBusy={isBusy}
            onConfirm={() => void clear()}
            onCancel={() => setAsking(false)}
          />
        </>
      )}
    </SettingRow>
  );
}

/** Pages without https have no such figures. */
async function siteUsage(): Promise<Storage["site"]> {
  const manager = navigator.storage as StorageManager | undefined;
  const { usage, quota } = (await manager?.estimate().catch(() => null)) ?? {};
  return usage === undefined || quota === undefined ? null : { used: usage, max: quota };
}
