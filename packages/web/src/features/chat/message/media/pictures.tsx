import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { Ellipsis, ImageOff } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { clockTime } from "../../../../kit/i18n/time-text.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { Overlay } from "../../../../ui/layout.tsx";
import { ICON_PROPS_16, ICON_PROPS_24 } from "../../../../ui/icon-props.ts";
import { MessageMeta } from "../bubbles/bubble-frame.tsx";
import { toggleSelected, useConversationUi, useConversationUiState } from "../conversation-ui.ts";
import { messageLabel } from "../message-summary.ts";
import { SelectionCheckbox } from "../selection-checkbox.tsx";
import { useRowGestures } from "../use-row-gestures.ts";
import { type Picture, pictureOf } from "./media-content.ts";
import { isFileLost, openViewer, useLocalFile } from "./media-files.ts";
import type { PictureGrid } from "./picture-box.ts";
import { UploadRing } from "./upload-ring.tsx";
import bubbleStyles from "../bubbles/bubble.module.css";
import styles from "./media.module.css";

interface PictureCellsProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  grid: PictureGrid;
  senderName: string;
  /** The delivery status of the last one, in words. */
  status: string | null;
  flashingId: number | null;
}

/** The cells of a grid of pictures. The last one shows the time. */
export function PictureCells({ chatKey, messages, grid, senderName, status, flashingId }: PictureCellsProps) {
  const { columns, cell, gap } = grid;
  return (
    <div
      className={styles.grid}
      style={{ gap, gridTemplateColumns: `repeat(${columns}, ${cell}px)` }}
      data-pictures={messages.length}
    >
      {messages.map((message, index) => (
        <PictureCell
          key={message.key}
          chatKey={chatKey}
          message={message}
          size={cell}
          senderName={senderName}
          status={index === messages.length - 1 ? status : null}
          hasTime={index === messages.length - 1}
          isFlashing={flashingId !== null && message.id === flashingId}
        />
      ))}
    </div>
  );
}

interface PictureCellProps {
  chatKey: ChatKey;
  message: ChatMessage;
  /** px */
  size: number;
  senderName: string;
  status: string | null;
  hasTime: boolean;
  isFlashing: boolean;
}

const PictureCell = memo(function PictureCell(props: PictureCellProps) {
  const { chatKey, message, size, senderName, status, hasTime, isFlashing } = props;
  const t = useText();
  const locale = useLocale();
  const ui = useConversationUi();
  const { openMenu, ...gestures } = useRowGestures(message);
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const isSelected = useConversationUiState((state) => state.selected?.has(message.key) === true);
  const hasMenu = useConversationUiState((state) => state.messageMenu?.key === message.key);
  const [isHovered, setHovered] = useState(false);
  const { id, tmpId, selfSend } = message;
  const picture = pictureOf(message);
  const summary = messageLabel(message, t);
  const label = [senderName, summary, clockTime(message.sendTime, locale), status];
  return (
    <div
      className={classNames(styles.cell, bubbleStyles.cell)}
      style={{ inlineSize: size, blockSize: size }}
      role="article"
      aria-label={label.filter(Boolean).join(t("app.listSeparator"))}
      tabIndex={-1}
      data-key={message.key}
      data-mid={id ?? tmpId ?? message.key}
      data-seen-id={selfSend ? undefined : (id ?? undefined)}
      data-flash={isFlashing ? "" : undefined}
      {...gestures}
      onClick={isSelecting && id !== null ? () => toggleSelected(ui, message) : undefined}
      onPointerEnter={(event) => event.pointerType === "mouse" && setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setHovered(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setHovered(false)}
    >
      <div inert={isSelecting}>
        {picture === null ? (
          <span className={styles.unreadable}>{t("chat.unsupported")}</span>
        ) : (
          <MediaPicture
            message={message}
            picture={picture}
            width={size}
            height={size}
            isCut
            label={summary}
            onOpen={() => openViewer({ chatKey, messageKey: message.key })}
          >
            <span className={styles.centre}>
              <UploadRing chatKey={chatKey} message={message} isOnPicture />
            </span>
          </MediaPicture>
        )}
        {hasTime && <MessageMeta chatKey={chatKey} message={message} />}
        {(isHovered || hasMenu) && !isSelecting && id !== null && (
          <button
            type="button"
            className={styles.more}
            aria-label={t("act.more")}
            aria-haspopup="menu"
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              openMenu(box.left, box.bottom + 4);
            }}
          >
            <Ellipsis {...ICON_PROPS_16} />
          </button>
        )}
      </div>
      {isSelecting && (
        <SelectionCheckbox message={message} isSelected={isSelected} className={styles.chosen} />
      )}
    </div>
  );
});

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
          <Overlay as="span" align="center" justify="center" tone="tertiary" className={styles.broken}>
            <ImageOff {...ICON_PROPS_24} />
          </Overlay>
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

/** A picture of this device. It is there at the first paint, and its object URL is revoked when it goes. */
function LocalImage({ blob, className }: { blob: Blob; className?: string | undefined }) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) return;
      const url = URL.createObjectURL(blob);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img ref={show} className={className} alt="" decoding="sync" data-local />;
}

/**
 * The address of the original while it should be shown instead of the server's small still: it moves, it is in view, and the reader wants
 * motion. null otherwise, so that a picture out of view needs no memory for its frames.
 */
function useAnimation(element: RefObject<HTMLElement | null>, originUrl: string | null): string | null {
  const [isInView, setInView] = useState(false);
  const [movingUrl, setMovingUrl] = useState<string | null>(null);
  const mayMove = originUrl !== null && /\.(gif|webp)$/i.test(originUrl);
  useEffect(() => {
    const box = element.current;
    if (!mayMove || box === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) setInView(entry.isIntersecting);
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, mayMove]);
  useEffect(() => {
    if (!isInView || originUrl === null) return;
    let isCurrent = true;
    void isAnimated(originUrl).then((moves) => {
      if (isCurrent && moves) setMovingUrl(originUrl);
    });
    return () => {
      isCurrent = false;
    };
  }, [isInView, originUrl]);
  return isInView && movingUrl === originUrl ? movingUrl : null;
}

/** The part of a WebP that says whether it is animated: RIFF header, chunk name, chunk size, flags. */
const WEBP_HEAD_BYTES = 21;
const ANIMATION_FLAG = 0x02;

/** Whether the first bytes of a file are those of an animated WebP. */
export function isAnimatedWebp(head: Uint8Array): boolean {
  const word = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  if (head.length < WEBP_HEAD_BYTES || word(0) !== "RIFF" || word(8) !== "WEBP" || word(12) !== "VP8X")
    return false;
  return ((head[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

const KNOWN_MAX = 200;
const known = new Map<string, Promise<boolean>>();

/**
 * Whether the picture at this address moves. A GIF counts as moving; of a WebP the first bytes are asked for. What cannot be read counts as
 * a still.
 */
function isAnimated(url: string): Promise<boolean> {
  const path = url.replace(/[?#].*$/, "").toLowerCase();
  if (path.endsWith(".gif")) return Promise.resolve(true);
  if (!path.endsWith(".webp")) return Promise.resolve(false);
  let answer = known.get(url);
  if (answer === undefined) {
    answer = readHead(url).then(isAnimatedWebp, () => {
      known.delete(url);
      return false;
    });
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(url, answer);
  }
  return answer;
}

async function readHead(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { headers: { range: `bytes=0-${WEBP_HEAD_BYTES - 1}` } });
  if (answer.status !== 206) {
    await answer.body?.cancel();
    throw new Error(`no part of the picture: ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}
