import { Paperclip } from "lucide-react";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useFileDrag } from "../../kit/use-file-drag.ts";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { SIZE_TEXT, typeOfFile, useAttach } from "./use-attach.ts";
import styles from "./broadcast.module.css";

/** Lies over the panes while files are dragged, and adds those that are dropped on it to the draft. */
export function DropTarget() {
  const t = useText();
  const attach = useAttach();
  const over = useFileDrag<"broadcast">({
    zoneAt: (target) => (target?.closest("[data-broadcast-drop]") == null ? "none" : "broadcast"),
    drop({ files, hasFolder }) {
      if (hasFolder) toasts.error(t("attach.folder"));
      if (files.length > 0) attach(files, typeOfFile);
    },
  });
  if (over === null) return null;
  return (
    <div className={styles.drop} data-over={over === "broadcast"}>
      <Paperclip {...ICON_PROPS_24} />
      <strong className={styles.dropTitle}>{t("broadcast.drop")}</strong>
      <span className={styles.dropHint}>{t("broadcast.limit", { max: SIZE_TEXT })}</span>
    </div>
  );
}
