import { useText } from "../../kit/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox } from "../../ui/field.tsx";
import styles from "./settings.module.css";
import { useManualApprove } from "./use-manual-approve.ts";

/** The spec's "other settings": a checkbox whether people need my approval to become friends. */
export function OtherSettings({ onClose }: { onClose: () => void }) {
  const t = useText();
  const approve = useManualApprove();
  return (
    <Dialog isOpen onClose={onClose} title={t("menu.otherSettings")} width={400}>
      <Checkbox
        checked={approve.isOn}
        disabled={approve.isBusy}
        onChange={(isOn) => void approve.change(isOn)}
        aria-describedby="approve-hint"
      >
        {t("settings.approve")}
      </Checkbox>
      <p id="approve-hint" className={styles.hint}>
        {t("settings.approveHint")}
      </p>
    </Dialog>
  );
}
