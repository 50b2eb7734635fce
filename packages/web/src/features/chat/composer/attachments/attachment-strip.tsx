import { useEffect, useRef, useState } from "react";
import type { ComponentProps, KeyboardEvent, MouseEvent } from "react";
import { ArrowLeft, ArrowRight, File, Image, ImageOff, Play, Trash2, X } from "lucide-react";
import { fileSize } from "@parley/core/model/format";
import type { ChatKey, DraftFile } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { isShortcut } from "../../../../kit/settings/shortcuts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_14, ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { Stack, Text } from "../../../../ui/layout.tsx";
import { MenuAt, MenuItem } from "../../../../ui/menu.tsx";
import { Spinner } from "../../../../ui/spinner.tsx";
import { announce } from "../../../../kit/dialogs/announcement.tsx";
import { limitsOf, otherKind, sendAs } from "./attach-files.ts";
import type { FileKind } from "./file-kind.ts";
import { useTileDrag } from "./use-tile-drag.ts";
import styles from "./attachment-strip.module.css";

interface AttachmentStripProps {
  chatKey: ChatKey;
  files: readonly DraftFile[];
  /** How many chosen files are still being read. */
  beingRead: number;
  /** The last file is removed: the focus should go to the field. */
  onReturnFocus: () => void;
}

/**
 * The chosen files above the field, in the order in which they are sent. A click opens the menu of a file; pointer or Shift with the arrow
 * keys move it, Delete removes it.
 */
export function AttachmentStrip({ chatKey, files, beingRead, onReturnFocus }: AttachmentStripProps) {
  const t = useText();
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [menu, setMenu] = useState<{ id: string; x: number; y: number } | null>(null);

  const moveTo = (file: DraftFile, index: number) => {
    const place = Math.min(Math.max(index, 0), files.length - 1);
    client.chats.moveDraftFile(chatKey, file.id, place);
    setCurrent(place);
    announce(t("attach.moved", { name: file.name, place: place + 1, count: files.length }));
  };
  const drag = useTileDrag(list, files, moveTo);

  const focusTile = (index: number) => {
    const tiles = list.current?.querySelectorAll<HTMLElement>("[data-tile]") ?? [];
    tiles[Math.min(Math.max(index, 0), tiles.length - 1)]?.focus();
  };
  const remove = (file: DraftFile, index: number) => {
    client.chats.removeDraftFile(chatKey, file.id);
    announce(t("attach.removed", { name: file.name }));
    if (files.length === 1) onReturnFocus();
    // The tile is gone after the next render; the one behind it takes its place.
    else requestAnimationFrame(() => focusTile(Math.min(index, files.length - 2)));
  };
  const change = async (file: DraftFile, kind: FileKind, index: number) => {
    if (!(await sendAs(client, chatKey, file, kind))) return;
    // The tile that had the focus is replaced by the next render.
    requestAnimationFrame(() => document.activeElement === document.body && focusTile(index));
  };
  const handleKey = (event: KeyboardEvent, file: DraftFile, index: number) => {
    const step = event.key === "ArrowLeft" ? -1 : 1;
    if (isShortcut(event.nativeEvent, "moveFile")) moveTo(file, index + step);
    else if (isShortcut(event.nativeEvent, "removeFile")) remove(file, index);
    else if (isShortcut(event.nativeEvent, "walkFiles")) focusTile(index + step);
    else return;
    event.preventDefault();
  };
  const openMenu = (event: MouseEvent<HTMLElement>, file: DraftFile) => {
    event.preventDefault();
    event.currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = event.currentTarget.getBoundingClientRect();
    setMenu({ id: file.id, x: box.left, y: box.top });
  };

  const menuIndex = files.findIndex(({ id }) => id === menu?.id);
  const menuFile = files[menuIndex];
  return (
    <div className={styles.strip} data-strip>
      <ul ref={list} className={styles.list} aria-label={t("attach.strip", { count: files.length })}>
        {drag.shown.map((file, index) => (
          <Tile
            key={file.id}
            chatKey={chatKey}
            file={file}
            isDragged={drag.draggedId === file.id}
            isTabStop={index === Math.min(current, files.length - 1)}
            onFocus={() => setCurrent(index)}
            onKeyDown={(event) => handleKey(event, file, index)}
            onClick={(event) => drag.hasDragged() || openMenu(event, file)}
            onPointerDown={(event) => drag.begin(event, file)}
            onRemove={() => remove(file, index)}
          />
        ))}
        {beingRead > 0 && (
          <li className={styles.waiting}>
            <Spinner size={16} />
            <span className="visually-hidden">{t("attach.reading")}</span>
          </li>
        )}
      </ul>
      {menu !== null && menuFile !== undefined && (
        <TileMenu
          x={menu.x}
          y={menu.y}
          file={menuFile}
          place={menuIndex}
          count={files.length}
          opener={list.current?.querySelector<HTMLElement>(`[data-id="${menu.id}"] [data-tile]`) ?? null}
          onMove={(place) => moveTo(menuFile, place)}
          onChangeKind={(kind) => void change(menuFile, kind, menuIndex)}
          onRemove={() => remove(menuFile, menuIndex)}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

interface TileProps extends Pick<
  ComponentProps<"button">,
  "onFocus" | "onKeyDown" | "onClick" | "onPointerDown"
> {
  chatKey: ChatKey;
  file: DraftFile;
  isDragged: boolean;
  /** Tab reaches one tile of the strip; the arrow keys lead to the others. */
  isTabStop: boolean;
  onRemove: () => void;
}

/** A file of the strip, and the button that removes it. */
function Tile({ chatKey, file, isDragged, isTabStop, onRemove, ...handlers }: TileProps) {
  const t = useText();
  return (
    <li className={styles.item} data-id={file.id} data-dragged={isDragged ? "" : undefined}>
      <button
        type="button"
        className={classNames(styles.tile, file.type === MessageType.FILE && styles.chip)}
        data-tile
        aria-label={tileLabel(file, t)}
        aria-haspopup="menu"
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Delete"
        tabIndex={isTabStop ? 0 : -1}
        {...handlers}
        onContextMenu={(event) => event.preventDefault()}
      >
        {file.type === MessageType.FILE ? (
          <FileChip file={file} />
        ) : (
          <Thumbnail chatKey={chatKey} file={file} />
        )}
      </button>
      <button
        type="button"
        className={styles.remove}
        aria-label={t("attach.remove", { name: file.name })}
        data-tip={t("attach.removeShort")}
        data-tip-side="top"
        tabIndex={-1}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onRemove}
      >
        <X {...ICON_PROPS_14} />
      </button>
    </li>
  );
}

function tileLabel(file: DraftFile, t: ReturnType<typeof useText>): string {
  const kind =
    file.type === MessageType.IMAGE
      ? "attach.picture"
      : file.type === MessageType.VIDEO
        ? "attach.video"
        : "attach.file";
  return t(kind, { name: file.name, size: fileSize(file.size) });
}

function FileChip({ file }: { file: DraftFile }) {
  const dot = file.name.lastIndexOf(".");
  const extension = dot > 0 ? file.name.slice(dot + 1) : "";
  const isShort = extension.length > 0 && extension.length <= 4;
  return (
    <>
      {/* The extension is drawn by the style, because it repeats a part of the name. */}
      <span className={styles.icon} data-extension={isShort ? extension.toUpperCase() : undefined}>
        {!isShort && <File {...ICON_PROPS} />}
      </span>
      <Stack as="span" grow>
        <Text truncate size={13} line={20} dir="auto">
          {file.name}
        </Text>{" "}
        <Text truncate size={12} line={16} tone="tertiary">
          {fileSize(file.size)}
        </Text>
      </Stack>
    </>
  );
}

interface TileMenuProps {
  x: number;
  y: number;
  file: DraftFile;
  /** Its index in the strip, which has `count` files. */
  place: number;
  count: number;
  /** Gets the focus back. */
  opener: HTMLElement | null;
  onMove: (place: number) => void;
  onChangeKind: (kind: FileKind) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** What can be done with a file of the strip: send it as another kind, move it, remove it. */
function TileMenu(props: TileMenuProps) {
  const { x, y, file, place, count, opener, onMove, onChangeKind, onRemove, onClose } = props;
  const t = useText();
  const client = useClient();
  const other = otherKind(file, limitsOf(client).imageMax);
  return (
    <MenuAt x={x} y={y} side="top" label={file.name} opener={opener} onClose={onClose}>
      {other !== null && (
        <MenuItem
          icon={other === MessageType.FILE ? <File {...ICON_PROPS} /> : <Image {...ICON_PROPS} />}
          onSelect={() => onChangeKind(other)}
        >
          {t(other === MessageType.FILE ? "attach.asFile" : "attach.asPicture")}
        </MenuItem>
      )}
      {place > 0 && (
        <MenuItem icon={<ArrowLeft {...ICON_PROPS} />} onSelect={() => onMove(place - 1)}>
          {t("attach.moveBefore")}
        </MenuItem>
      )}
      {place < count - 1 && (
        <MenuItem icon={<ArrowRight {...ICON_PROPS} />} onSelect={() => onMove(place + 1)}>
          {t("attach.moveBehind")}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 {...ICON_PROPS} />} isDanger onSelect={onRemove}>
        {t("attach.removeShort")}
      </MenuItem>
    </MenuAt>
  );
}

/** The pixels of a thumbnail: twice its size on touch devices, for dense screens. */
const THUMBNAIL_PX = 176;

/** One after the other: a picture of 50 megapixels needs 200 MB while it is decoded. */
let lastDrawing: Promise<void> = Promise.resolve();

/** A small picture of a chosen picture or video. Only the small picture stays in memory, not the decoded large one. */
function Thumbnail({ chatKey, file }: { chatKey: ChatKey; file: DraftFile }) {
  const bytes = useFileBytes(chatKey, file.id);
  if (bytes === null) return <MissingThumbnail />;
  if (bytes === undefined) return <span className={styles.picture} />;
  return file.type === MessageType.VIDEO ? (
    <VideoThumbnail bytes={bytes} />
  ) : (
    <PictureThumbnail bytes={bytes} />
  );
}

function MissingThumbnail() {
  return (
    <span className={styles.picture}>
      <ImageOff {...ICON_PROPS} />
    </span>
  );
}

function PictureThumbnail({ bytes }: { bytes: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      if (!isCurrent) return;
      try {
        const bitmap = await createImageBitmap(bytes);
        if (canvas.current !== null) drawCovering(canvas.current, bitmap);
        bitmap.close();
      } catch {
        if (isCurrent) setBroken(true);
      }
    };
    lastDrawing = lastDrawing.then(draw);
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  if (isBroken) return <MissingThumbnail />;
  return <canvas ref={canvas} className={styles.picture} width={THUMBNAIL_PX} height={THUMBNAIL_PX} />;
}

/** Fills the canvas with the middle of a picture. */
function drawCovering(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const side = Math.min(bitmap.width, bitmap.height);
  const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height);
}

function VideoThumbnail({ bytes }: { bytes: Blob }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(bytes);
    if (video.current !== null) video.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes]);
  return (
    <span className={styles.picture}>
      <video ref={video} className={styles.picture} muted playsInline preload="metadata" tabIndex={-1} />
      <span className={styles.play}>
        <Play {...ICON_PROPS_16} fill="currentColor" />
      </span>
    </span>
  );
}

/** The bytes of a file of the draft: undefined until they are read, null if this device has lost them. */
function useFileBytes(chatKey: ChatKey, id: string): Blob | null | undefined {
  const client = useClient();
  const [bytes, setBytes] = useState<Blob | null>();
  useEffect(() => {
    let isCurrent = true;
    void client.chats.draftFile(chatKey, id).then((file) => {
      if (isCurrent) setBytes(file instanceof Blob ? file : null);
    });
    return () => {
      isCurrent = false;
    };
  }, [client, chatKey, id]);
  return bytes;
}
