import { useText } from "../../kit/i18n/i18n.ts";
import { ShortcutList } from "../../kit/settings/shortcut-list.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** The table of all keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <Dialog isOpen isReading onClose={onClose} title={t("keys.title")} width={560}>
      <ShortcutList />
    </Dialog>
  );
}
