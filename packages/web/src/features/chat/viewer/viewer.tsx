import { useEffect, useEffectEvent, useReducer, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { Download, X } from "lucide-react";
import { downloadUrl } from "../../../kit/forms/downloads.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import type { OpenPicture } from "../../../kit/dialogs/open-dialog.ts";
import { isShortcut } from "../../../kit/settings/shortcuts.ts";
import { toasts } from "../../../kit/dialogs/toasts.ts";
import { useBackCloses } from "../../../kit/dialogs/closing.ts";
import { IconButton } from "../../../ui/button.tsx";
import { FullScreenDialog } from "../../../ui/dialog.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { Overlay, Row, Text } from "../../../ui/layout.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useGestures } from "./gestures.ts";
import { keyAfter, MIDDLE, openView, reduceView, type Point, type ViewAction } from "./view-state.ts";
import { StepButtons, Toolbar } from "./viewer-controls.tsx";
import type { ViewerItem } from "./viewer-item.ts";
import { Picture, Video } from "./viewer-media.tsx";
import styles from "./viewer.module.css";

interface ViewerProps {
  /** In the order of the messages. */
  items: readonly ViewerItem[];
  startKey: string;
  /** Items are still being loaded, so that one may appear which is missing now. */
  isSearching?: boolean;
  /** Items before the first that are not known yet: they count. */
  unknownBefore?: number;
  /** The sender of the shown item, and the time. */
  renderCaption: (item: ViewerItem) => ReactNode;
  /** Buttons beside the one for downloading. */
  renderActions?: (item: ViewerItem) => ReactNode;
  onShow?: (key: string) => void;
  /** Shown below the caption, such as why some items are missing. */
  note?: ReactNode;
  onClose: () => void;
}

const KEY_ACTIONS: readonly (readonly [Parameters<typeof isShortcut>[1], ViewAction])[] = [
  ["previousPicture", { kind: "step", by: -1 }],
  ["nextPicture", { kind: "step", by: 1 }],
  ["zoomIn", { kind: "zoom", steps: 1, at: MIDDLE }],
  ["zoomOut", { kind: "zoom", steps: -1, at: MIDDLE }],
  ["rotate", { kind: "rotate", turns: 1 }],
  ["wholePicture", { kind: "reset" }],
];

/** Pictures and videos over the whole page: one at a time, to zoom, turn and drag (spec §2, interface §12). It closes when none is left. */
export function Viewer(props: ViewerProps) {
  const {
    items,
    startKey,
    isSearching = false,
    unknownBefore = 0,
    renderCaption,
    renderActions,
    onShow,
    note,
    onClose,
  } = props;
  const t = useText();
  // The dialog is put into the page after the first effects.
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  useBackCloses(onClose);
  const viewer = useView({ keys: items.map((item) => item.key), startKey, isSearching, onClose });
  const { view, dispatch, act, isFollowing } = viewer;
  const { current } = view;

  useStageSize(stage, dispatch);
  const reportShown = useEffectEvent((key: string) => onShow?.(key));
  useEffect(() => {
    if (current !== null) reportShown(current);
  }, [current]);

  const item = items.find(({ key }) => key === current);
  usePreloadedThumbs(
    [keyAfter(view, 1), keyAfter(view, -1)].map((key) => items.find((one) => one.key === key)),
  );

  const isPicture = item?.kind === "picture";
  const pull = useViewGestures(stage, { isPicture, viewer, onClose });

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const action = KEY_ACTIONS.find(([name]) => isShortcut(event.nativeEvent, name))?.[1];
    if (action === undefined || (action.kind !== "step" && !isPicture)) return;
    // The arrow keys wind a video that has the focus.
    if (event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    act(action);
  };

  const index = items.findIndex(({ key }) => key === current);
  const position = t("viewer.position", {
    index: String(unknownBefore + index + 1),
    count: String(unknownBefore + items.length),
  });
  const hasOthers = item !== undefined && items.length + unknownBefore > 1;
  return (
    <FullScreenDialog title={t("viewer.title")} onClose={onClose} onKeyDown={handleKeyDown}>
      <div ref={setStage} className={styles.stage} data-following={isFollowing || undefined}>
        {item?.kind === "picture" && (
          <Picture
            key={item.key}
            item={item}
            view={view}
            pull={pull}
            onSize={(size) => dispatch({ kind: "picture", size })}
          />
        )}
        {item === undefined && (
          <Overlay as="span" align="center" justify="center" tone="secondary" className={styles.loading}>
            <Spinner size={32} />
          </Overlay>
        )}
        {item?.kind === "video" && <Video key={item.key} item={item} isFirst={item.key === startKey} />}
      </div>
      <Row as="header" gap={12} className={styles.head}>
        <div className={styles.caption}>
          {item && renderCaption(item)}
          {note}
        </div>
        <Row align="stretch" gap={8} shrink={false} className={styles.tools}>
          {item && renderActions?.(item)}
          {item && <DownloadLink {...item.download} />}
          <IconButton className={styles.tool} label={t("app.close")} onClick={onClose}>
            <X {...ICON_PROPS} />
          </IconButton>
        </Row>
      </Row>
      {hasOthers && <StepButtons onAction={act} />}
      {(isPicture || hasOthers) && (
        <Toolbar
          scale={isPicture ? view.scale : null}
          position={hasOthers ? position : null}
          onAction={act}
        />
      )}
      <output className="visually-hidden">
        {item && [item.label, hasOthers && position].filter(Boolean).join(t("app.listSeparator"))}
      </output>
    </FullScreenDialog>
  );
}

interface GestureInput {
  isPicture: boolean;
  viewer: ReturnType<typeof useView>;
  onClose: () => void;
}

/** Fingers and the wheel on the stage. Returns how far a finger has pulled the item away to close the viewer; null: it does not. */
function useViewGestures(stage: HTMLElement | null, { isPicture, viewer, onClose }: GestureInput) {
  const { view, act, follow, setFollowing } = viewer;
  const [pull, setPull] = useState<Point | null>(null);
  useGestures(stage, {
    canPan: () => isPicture && view.scale > 1,
    onPan: (by) => isPicture && follow({ kind: "drag", by }),
    onPinch: (factor, at, by) => isPicture && follow({ kind: "pinch", factor, at, by }),
    onPull: (by) => {
      setFollowing(by !== null);
      setPull(by);
    },
    onSwipe: (direction) => {
      if (direction === "close") onClose();
      else act({ kind: "step", by: direction === "next" ? 1 : -1 });
    },
    onDoubleTap: (at) => isPicture && act({ kind: "toggle", at }),
    onWheel: (steps, at) => isPicture && follow({ kind: "zoom", steps, at }),
  });
  return pull;
}

/** Reports the room for pictures, which changes with the window. */
function useStageSize(stage: HTMLElement | null, dispatch: (action: ViewAction) => void): void {
  useEffect(() => {
    if (stage === null) return;
    const observer = new ResizeObserver(() =>
      dispatch({ kind: "stage", size: { width: stage.clientWidth, height: stage.clientHeight } }),
    );
    observer.observe(stage);
    return () => observer.disconnect();
  }, [stage, dispatch]);
}

/** The neighbours show at once what there is of them. No more of them are loaded: pictures need much memory. */
function usePreloadedThumbs(items: readonly (ViewerItem | undefined)[]): void {
  const urls = items.flatMap((item) => item?.thumbUrl ?? []).join(" ");
  useEffect(() => {
    const images = urls
      .split(" ")
      .filter(Boolean)
      .map((url) => Object.assign(new Image(), { src: url }));
    return () => {
      for (const image of images) image.src = "";
    };
  }, [urls]);
}

function DownloadLink({ url, fileName }: ViewerItem["download"]) {
  const t = useText();
  return (
    <a
      className={styles.tool}
      href={url}
      download={fileName}
      aria-label={t("viewer.download")}
      data-tip={t("viewer.download")}
    >
      <Download {...ICON_PROPS} />
    </a>
  );
}

interface ViewInput {
  /** The keys of the items to show, in the order of the messages. */
  keys: readonly string[];
  startKey: string;
  /** Items are still being loaded, so that one may appear which is missing now. */
  isSearching: boolean;
  onClose: () => void;
}

/** The state of the viewer. It follows the list of items, and closes the viewer when none is left or the wanted one does not exist. */
function useView({ keys, startKey, isSearching, onClose }: ViewInput) {
  const t = useText();
  const [view, dispatch] = useReducer(reduceView, startKey, (key) => openView(keys, key));
  // What fingers and the wheel change follows them at once; what a key or a button changes moves there.
  const [isFollowing, setFollowing] = useState(false);

  const { current } = view;
  const updateList = useEffectEvent((newKeys: readonly string[]) => {
    const isGone = current !== null && view.keys.includes(current) && !newKeys.includes(current);
    if (isGone) toasts.long(t("viewer.gone"));
    dispatch({ kind: "list", keys: newKeys });
  });
  const list = JSON.stringify(keys);
  useEffect(() => updateList(JSON.parse(list) as string[]), [list]);

  const isOver = current === null;
  const isMissing = !isOver && !isSearching && !view.keys.includes(current);
  const close = useEffectEvent(() => {
    if (isMissing) toasts.long(t("viewer.gone"));
    onClose();
  });
  useEffect(() => {
    if (isOver || isMissing) close();
  }, [isOver, isMissing]);

  const act = (action: ViewAction) => {
    setFollowing(false);
    dispatch(action);
  };
  const follow = (action: ViewAction) => {
    setFollowing(true);
    dispatch(action);
  };
  return { view, dispatch, act, follow, isFollowing, setFollowing } as const;
}

/** A single picture over the page, such as the one of a person. */
export function PictureViewer({ picture, onClose }: { picture: OpenPicture; onClose: () => void }) {
  const t = useText();
  const { url, thumbUrl, name } = picture;
  const extension = /\.\w+$/.exec(url)?.[0] ?? "";
  const item = {
    key: url,
    kind: "picture",
    url,
    thumbUrl,
    placeholder: null,
    width: 0,
    height: 0,
    label: t("viewer.pictureOf", { name }),
    download: { url: downloadUrl(url, `${name}${extension}`), fileName: `${name}${extension}` },
  } as const;
  return (
    <Viewer
      items={[item]}
      startKey={url}
      renderCaption={() => (
        <Text as="div" truncate weight="name">
          <bdi>{name}</bdi>
        </Text>
      )}
      onClose={onClose}
    />
  );
}
