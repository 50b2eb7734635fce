import { Copy } from "lucide-react";
import { copyWithToast } from "../../kit/copy-text.ts";
import { useText } from "../../kit/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import styles from "./admin-page.module.css";

interface PasswordDialogProps {
  userName: string;
  password: string;
  /** The element to which the focus returns. */
  opener: HTMLElement | null;
  onClose: () => void;
}

/** A new password, which the server does not tell again. */
export function PasswordDialog({ userName, password, opener, onClose }: PasswordDialogProps) {
  const t = useText();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      opener={opener}
      isKept
      title={t("admin.password.title")}
      width={440}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("admin.password.done")}
        </Button>
      }
    >
      <div className={styles.form}>
        <p>{t("admin.password.body", { userName })}</p>
        <Secret text={password} />
      </div>
    </Dialog>
  );
}

/** A text to hand on, such as a password or an invite code, with a button that copies it. */
export function Secret({ text }: { text: string }) {
  const t = useText();
  return (
    <div className={styles.secret}>
      <code>{text}</code>
      <Button size="small" icon={<Copy {...ICON_PROPS_16} />} onClick={() => void copyWithToast(text)}>
        {t("act.copy")}
      </Button>
    </div>
  );
}
