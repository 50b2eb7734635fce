import { X } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import styles from "./media.module.css";

const SIZE = 36;
const RADIUS = 16;
const LENGTH = 2 * Math.PI * RADIUS;
/** A ring that has not begun shows a little, so that it is seen as one. */
const LEAST_PERCENT = 4;

/** Whether the file of a message is being uploaded, or waits for that. */
export function isUploading({ upload, sending }: ChatMessage): boolean {
  return upload !== null && sending !== "failed";
}

interface UploadRingProps {
  chatKey: ChatKey;
  message: ChatMessage;
  /** Over a picture it has a dark ground. */
  isOnPicture?: boolean;
}

/** How much of a file is uploaded, around a button that cancels. Nothing once the file is there. */
export function UploadRing({ chatKey, message, isOnPicture = false }: UploadRingProps) {
  const t = useText();
  const { chats } = useClient();
  const { tmpId, upload } = message;
  const progress = useClientState((state) => (tmpId === null ? undefined : state.uploads[tmpId]));
  if (tmpId === null || upload === null || !isUploading(message)) return null;
  const part =
    progress === undefined || progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes;
  const percent = Math.min(100, Math.round(part * 100));
  const dash = `${(LENGTH * Math.max(LEAST_PERCENT, percent)) / 100} ${LENGTH}`;
  return (
    <span className={classNames(styles.ring, isOnPicture && styles.onPicture)}>
      <svg
        width={SIZE}
        height={SIZE}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        fill="none"
        strokeWidth="2.5"
        role="progressbar"
        aria-label={upload.name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <circle cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} className={styles.track} />
        <circle
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          strokeLinecap="round"
          className={styles.done}
          strokeDasharray={dash}
        />
      </svg>
      <button
        type="button"
        className={styles.cancel}
        aria-label={t("media.cancelUpload", { name: upload.name })}
        data-tip={t("media.cancelUploadShort")}
        onClick={() => chats.discard(chatKey, tmpId)}
      >
        <X {...ICON_PROPS_16} />
      </button>
    </span>
  );
}
