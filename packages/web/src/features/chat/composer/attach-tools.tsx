import { Image, Paperclip } from "lucide-react";
import { useText } from "../../../kit/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import type { SelectedFiles } from "./attachments/attach-files.ts";
import { useFilePicker } from "./attachments/use-file-picker.ts";
import styles from "./composer.module.css";

/** Buttons for pictures and for files, which people send most, beside the menu that has them too. */
export function AttachTools({ onAttach }: { onAttach: (chosen: SelectedFiles) => void }) {
  const t = useText();
  const picker = useFilePicker(onAttach);
  return (
    <span className={styles.tool}>
      <input {...picker.inputProps} />
      <IconButton label={t("attach.pickPicture")} tooltipSide="top" onClick={() => picker.pick("picture")}>
        <Image {...ICON_PROPS} />
      </IconButton>
      <IconButton label={t("attach.pickFile")} tooltipSide="top" onClick={() => picker.pick("file")}>
        <Paperclip {...ICON_PROPS} />
      </IconButton>
    </span>
  );
}
