import { type CSSProperties, type ReactNode, useRef, useState } from "react";
import { ImageOff } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import type { Picture } from "./media-content.ts";
import { useAnimation } from "./use-animation.ts";
import { LocalImage } from "./local-image.tsx";
import { isFileLost, useLocalFile } from "./use-local-file.ts";
import styles from "./media.module.css";

interface MediaPictureProps {
  message: ChatMessage;
  picture: Picture;
  /** px; the box never changes, whatever happens to the picture. */
  width: number;
  height: number;
  /** The picture fills the box and may lose its edges; otherwise it is shown whole and not enlarged. */
  isCut: boolean;
  /** Name of the button. */
  label: string;
  onOpen: () => void;
  /** Shown over the picture. */
  children?: ReactNode;
}

/** URLs that were shown once: the browser has them, so they need no blurred preview again. */
const seen = new Set<string>();
const SEEN_MAX = 2_000;

function remember(url: string): void {
  if (seen.size >= SEEN_MAX) seen.clear();
  seen.add(url);
}

/**
 * A picture of a message, or the cover of its video, in a box that is reserved from the start: blurred, then the file that this page sends
 * itself, then the server's small picture, and over it the original if that moves. A click opens it.
 */
export function MediaPicture(props: MediaPictureProps) {
  const { message, picture, width, height, isCut, label, onOpen, children } = props;
  const t = useText();
  const client = useClient();
  const box = useRef<HTMLButtonElement>(null);
  const thumb = picture.thumbUrl === null ? null : client.fileUrl(picture.thumbUrl);
  const [state, setState] = useState<"loading" | "shown" | "failed">(() =>
    thumb !== null && seen.has(thumb) ? "shown" : "loading",
  );
  const [attempt, setAttempt] = useState(0);
  const local = useLocalFile(
    message,
    message.type === MessageType.VIDEO ? "cover" : "file",
    state !== "shown",
  );
  const moving = useAnimation(box, picture.originUrl === null ? null : client.fileUrl(picture.originUrl));
  const style: CSSProperties = { inlineSize: width, aspectRatio: `${width} / ${height}` };
  const fit = classNames(styles.layer, !isCut && styles.whole);
  const isBroken = state === "failed" && local === null;
  const isLost = isFileLost(client, message);
  return (
    <div className={styles.picture} style={style} data-picture={state}>
      <button
        ref={box}
        type="button"
        className={styles.open}
        aria-label={isBroken ? t("media.pictureFailed") : label}
        onClick={isBroken || isLost ? undefined : onOpen}
      >
        {picture.placeholder !== null && state === "loading" && (
          <img
            // So few pixels are blurred already. A filter would cost a third of the frames while one scrolls.
            className={styles.layer}
            src={`data:image/webp;base64,${picture.placeholder}`}
            alt=""
          />
        )}
        {local !== null && state !== "shown" && <LocalImage blob={local} className={fit} />}
        {thumb !== null && state !== "failed" && (
          <img
            key={attempt}
            className={fit}
            src={thumb}
            alt=""
            width={width}
            height={height}
            decoding={state === "shown" ? "sync" : "async"}
            data-thumb
            onLoad={(event) => {
              const image = event.currentTarget;
              // The layers below go when it can be painted, so that nothing flashes.
              void image.decode().then(
                () => {
                  remember(thumb);
                  setState("shown");
                },
                () => setState("failed"),
              );
            }}
            onError={() => setState("failed")}
          />
        )}
        {moving !== null && state === "shown" && (
          <img className={fit} src={moving} alt="" decoding="async" data-moving />
        )}
        {(isBroken || isLost) && (
          <span className={styles.broken}>
            <ImageOff {...ICON_PROPS_24} />
          </span>
        )}
      </button>
      {isBroken && (
        <button
          type="button"
          className={styles.retry}
          onClick={() => {
            setAttempt(attempt + 1);
            setState("loading");
          }}
        >
          {t("app.retry")}
        </button>
      )}
      {children}
    </div>
  );
}
