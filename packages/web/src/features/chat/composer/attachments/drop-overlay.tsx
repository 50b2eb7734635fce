import { File, Image } from "lucide-react";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import type { DropZone } from "./pick-files.ts";
import styles from "./drop-overlay.module.css";

/** Lies over the conversation while files are dragged, with a zone for each way to send them. `over`: the zone under the drag. */
export function DropOverlay({ over }: { over: DropZone | "none" }) {
  const t = useText();
  return (
    <div className={styles.overlay} data-drop-zone="picture">
      <div className={styles.zone} data-drop-zone="picture" data-over={over === "picture"}>
        <Image {...ICON_PROPS_24} />
        <strong className={styles.title}>{t("attach.dropPicture")}</strong>
        <span className={styles.hint}>{t("attach.dropPictureHint")}</span>
      </div>
      <div className={styles.zone} data-drop-zone="file" data-over={over === "file"}>
        <File {...ICON_PROPS_24} />
        <strong className={styles.title}>{t("attach.dropFile")}</strong>
        <span className={styles.hint}>{t("attach.dropFileHint")}</span>
      </div>
    </div>
  );
}
