import { useEffect, useRef, useState } from "react";
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { FullScreenDialog } from "../../../../ui/dialog.tsx";
import { Row, Text } from "../../../../ui/layout.tsx";
import { attachFiles } from "../attachments/attach-files.ts";
import {
  afterKey,
  dragged,
  gripAt,
  isWhole,
  placeOn,
  wholeOf,
  type Area,
  type Drag,
  type Size,
} from "./selection.ts";
import styles from "./screenshot.module.css";

/** How far from an edge a press still takes hold of it, px of the screen: a mouse, and a finger. */
const REACH_PX = { mouse: 8, other: 22 };
/** A press that moves less than this is a click, px of the screen. */
const CLICK_PX = 4;

interface ScreenshotDialogProps {
  /** The chat that gets the part. */
  chatKey: ChatKey;
  picture: Blob;
  onClose: () => void;
}

/** Chooses the part of a screenshot that goes to the files above the field of a chat: by pointer, touch or keys. */
export function ScreenshotDialog({ chatKey, picture, onClose }: ScreenshotDialogProps) {
  const t = useText();
  const client = useClient();
  const [size, setSize] = useState<Size | null>(null);
  const [area, setArea] = useState<Area | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fail = () => {
    toasts.error(t("desktop.screenshot.failed"));
    onClose();
  };
  const use = async () => {
    if (size === null || area === null || isBusy) return;
    setBusy(true);
    try {
      const file = await cutPicture(picture, area, size);
      void attachFiles(client, chatKey, { files: [file], hasFolder: false, isFile: false });
      onClose();
    } catch (error) {
      reportError(error);
      fail();
    }
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (size === null || area === null) return;
    const next = isSelectAll(event) ? wholeOf(size) : afterKey(event, area, size);
    const isOnButton = event.target instanceof Element && event.target.closest("button") !== null;
    if (next !== null) setArea(next);
    else if (event.key === "Enter" && !isOnButton) void use();
    else return;
    event.preventDefault();
  };
  return (
    <FullScreenDialog title={t("desktop.screenshot.title")} onClose={onClose} onKeyDown={handleKeyDown}>
      <Stage area={area} size={size} onChange={setArea}>
        <Picture
          picture={picture}
          onShown={(shown) => {
            setSize(shown);
            setArea(wholeOf(shown));
          }}
          onFailure={fail}
        />
      </Stage>
      <Row justify="end" gap={8} wrap paddingX={24} paddingY={16} className={styles.bar} data-unsaved>
        <Text as="p" grow tone="secondary" className={styles.hint}>
          {t("desktop.screenshot.hint")}
        </Text>
        <Text as="output" tone="primary" className={styles.size} aria-label={t("desktop.screenshot.area")}>
          {area !== null && t("desktop.screenshot.size", { width: area.width, height: area.height })}
        </Text>
        <Button onClick={onClose}>{t("app.cancel")}</Button>
        <Button onClick={() => size !== null && setArea(wholeOf(size))}>
          {t("desktop.screenshot.whole")}
        </Button>
        <Button variant="primary" isBusy={isBusy || area === null} onClick={() => void use()}>
          {t("desktop.screenshot.take")}
        </Button>
      </Row>
    </FullScreenDialog>
  );
}

interface PictureProps {
  picture: Blob;
  onShown: (size: Size) => void;
  /** The browser cannot read it. */
  onFailure: () => void;
}

function Picture({ picture, onShown, onFailure }: PictureProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(picture);
    if (image.current !== null) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return (
    <img
      ref={image}
      className={styles.image}
      alt=""
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        onShown({ width, height })
      }
      onError={onFailure}
    />
  );
}

function isSelectAll({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "a" && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

interface StageProps {
  area: Area | null;
  size: Size | null;
  onChange: (area: Area) => void;
  children: ReactNode;
}

/** The picture, as large as the window has room for, with the area on it. A press may begin beside it. */
function Stage({ area, size, onChange, children }: StageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  /** Where the pointer is on the picture, and px of the picture for one of the screen. */
  const locate = (event: PointerEvent, of: Size) => {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return { point: placeOn(box, { x: event.clientX, y: event.clientY }, of), scale: of.width / box.width };
  };
  const begin = (event: PointerEvent) => {
    if (size === null || area === null || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { point, scale } = locate(event, size);
    const reach = REACH_PX[event.pointerType === "mouse" ? "mouse" : "other"] * scale;
    drag.current = { grip: gripAt(point, area, reach, size), from: point, area };
  };
  const follow = (event: PointerEvent) => {
    if (size === null || drag.current === null) return;
    const { point, scale } = locate(event, size);
    onChange(dragged(drag.current, point, CLICK_PX * scale, size));
  };
  const end = () => {
    drag.current = null;
  };
  return (
    <div
      className={styles.stage}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <div ref={frame} className={styles.frame} style={size === null ? undefined : frameStyle(size)}>
        {children}
        {area !== null && size !== null && <Selection area={area} size={size} />}
      </div>
    </div>
  );
}

function frameStyle({ width, height }: Size): CSSProperties {
  return { "--ratio": width / height, "--width": `${width}px` } as CSSProperties;
}

function Selection({ area, size }: { area: Area; size: Size }) {
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  const place = {
    insetInlineStart: percent(area.x, size.width),
    insetBlockStart: percent(area.y, size.height),
    inlineSize: percent(area.width, size.width),
    blockSize: percent(area.height, size.height),
  };
  return (
    <>
      <div className={styles.shade}>
        <div className={styles.hole} style={place} />
      </div>
      <div className={styles.area} style={place} data-movable={!isWhole(area, size) || undefined}>
        {!isWhole(area, size) &&
          GRIPS.map(([x, y, cursor]) => (
            <span
              key={`${x} ${y}`}
              className={styles.grip}
              style={{ insetInlineStart: `${x}%`, insetBlockStart: `${y}%`, cursor }}
            />
          ))}
      </div>
    </>
  );
}

/** Where the grips are, in percent of the area, and the pointer on each of them. */
const GRIPS = [
  [0, 0, "nwse-resize"],
  [50, 0, "ns-resize"],
  [100, 0, "nesw-resize"],
  [100, 50, "ew-resize"],
  [100, 100, "nwse-resize"],
  [50, 100, "ns-resize"],
  [0, 100, "nesw-resize"],
  [0, 50, "ew-resize"],
] as const;

/** A part of a picture as a PNG file of the same pixels. Rejects if the browser cannot read or write the picture. */
async function cutPicture(picture: Blob, area: Area, size: Size): Promise<File> {
  const part = isWhole(area, size) ? picture : await drawPart(picture, area);
  return new File([part], "screenshot.png", { type: "image/png" });
}

async function drawPart(picture: Blob, { x, y, width, height }: Area): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas");
  const bitmap = await createImageBitmap(picture, x, y, width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}
