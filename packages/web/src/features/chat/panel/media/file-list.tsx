import { MessageSquareText } from "lucide-react";
import { fileSize } from "@parley/core/model/format";
import type { FoundMessage } from "@parley/core/client-api";
import { useLocale, useText } from "../../../../kit/i18n.ts";
import { listTime } from "../../../../kit/time-text.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { downloadMedia } from "../../message/media/download-media.ts";
import { FileIcon } from "../../message/media/file-icon.tsx";
import { FileNameText } from "../../message/media/file-name-text.tsx";
import { fileOf } from "../../message/media/media-content.ts";
import { useSenderName } from "../../message/use-sender-name.ts";
import styles from "./media-panel.module.css";

interface HitListProps {
  hits: readonly FoundMessage[];
  onShow: (hit: FoundMessage) => void;
}

/** Files: a click downloads one, the button beside it leads to its message. */
export function FileList({ hits, onShow }: HitListProps) {
  return (
    <ul className={styles.list}>
      {hits.map((hit) => (
        <FileItem key={hit.message.key} hit={hit} onShow={() => onShow(hit)} />
      ))}
    </ul>
  );
}

function FileItem({ hit, onShow }: { hit: FoundMessage; onShow: () => void }) {
  const t = useText();
  const client = useClient();
  const { message } = hit;
  const file = fileOf(message);
  if (file === null) return null;
  const size = fileSize(file.size);
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.itemOpen}
        aria-label={t("media.downloadFile", { name: file.name, size })}
        onClick={() => downloadMedia(client, message)}
      >
        <FileIcon name={file.name} />
        <span className={styles.itemText}>
          <FileNameText name={file.name} />
          <HitDetails hit={hit} first={size} />
        </span>
      </button>
      <ShowButton onShow={onShow} />
    </li>
  );
}

/** Who sent it and when, in small text. */
export function HitDetails({ hit: { key, message }, first }: { hit: FoundMessage; first?: string }) {
  const t = useText();
  const locale = useLocale();
  const sender = useSenderName(key, message.sendId, message.sendNickName);
  const time = listTime(message.sendTime, Date.now(), locale, t);
  return (
    <span className={styles.details}>
      {first !== undefined && <span>{first}</span>}
      <bdi className={styles.sender}>{sender}</bdi>
      <time dateTime={new Date(message.sendTime).toISOString()}>{time}</time>
    </span>
  );
}

/** Leads to the message in the conversation. */
export function ShowButton({ onShow }: { onShow: () => void }) {
  const t = useText();
  return (
    <IconButton label={t("media.jump")} size={36} onClick={onShow}>
      <MessageSquareText {...ICON_PROPS_16} />
    </IconButton>
  );
}
