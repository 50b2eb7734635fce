import { useState } from "react";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";

interface ConfirmBlockProps {
  userId: number;
  name: string;
  onClose: () => void;
}

/** Asks for confirmation before a person is blocked. The client's own notice reports a failure. */
export function ConfirmBlock({ userId, name, onClose }: ConfirmBlockProps) {
  const t = useText();
  const { contacts } = useClient();
  const [isBusy, setBusy] = useState(false);
  const block = async () => {
    setBusy(true);
    await contacts.block(userId);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      title={t("block.title", { name })}
      body={t("block.body")}
      confirmLabel={t("block.block")}
      cancelLabel={t("app.cancel")}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void block()}
      onCancel={onClose}
    />
  );
}
