import { ChevronLeft, ChevronRight, Maximize, RotateCw, Scan, ZoomIn, ZoomOut } from "lucide-react";
import { useText } from "../../../kit/i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ICON_PROPS, ICON_PROPS_24 } from "../../../ui/icon-props.ts";
import { Row, Text } from "../../../ui/layout.tsx";
import { MIDDLE, type ViewAction } from "./view-state.ts";
import styles from "./viewer.module.css";

interface StepButtonsProps {
  onAction: (action: ViewAction) => void;
}

/** To the previous and the next item, at the sides of the page. */
export function StepButtons({ onAction }: StepButtonsProps) {
  const t = useText();
  return (
    <>
      <IconButton
        className={classNames(styles.side, styles.previous)}
        label={t("viewer.previous")}
        tooltipSide="right"
        onClick={() => onAction({ kind: "step", by: -1 })}
      >
        <ChevronLeft {...ICON_PROPS_24} />
      </IconButton>
      <IconButton
        className={classNames(styles.side, styles.next)}
        label={t("viewer.next")}
        tooltipSide="top"
        onClick={() => onAction({ kind: "step", by: 1 })}
      >
        <ChevronRight {...ICON_PROPS_24} />
      </IconButton>
    </>
  );
}

interface ToolbarProps {
  /** The scale of the picture; null for a video. */
  scale: number | null;
  /** Which of the items is shown; null if there is only one. */
  position: string | null;
  onAction: (action: ViewAction) => void;
}

/** The bar below the shown item. */
export function Toolbar({ scale, position, onAction }: ToolbarProps) {
  const t = useText();
  return (
    <Row gap={4} paddingX={8} className={styles.bar} role="toolbar" aria-label={t("viewer.tools")}>
      {scale !== null && <PictureTools scale={scale} onAction={onAction} />}
      {scale !== null && position !== null && <span className={styles.line} />}
      {position !== null && (
        <Text paddingX={12} size={13} className={styles.position} aria-hidden="true">
          {position}
        </Text>
      )}
    </Row>
  );
}

interface PictureToolsProps {
  scale: number;
  onAction: (action: ViewAction) => void;
}

/** Zooms and turns the shown picture. */
function PictureTools({ scale, onAction }: PictureToolsProps) {
  const t = useText();
  return (
    <>
      <IconButton
        className={styles.tool}
        label={t("viewer.zoomOut")}
        tooltipSide="top"
        onClick={() => onAction({ kind: "zoom", steps: -1, at: MIDDLE })}
      >
        <ZoomOut {...ICON_PROPS} />
      </IconButton>
      <output className={styles.percent}>{`${Math.round(scale * 100)}%`}</output>
      <IconButton
        className={styles.tool}
        label={t("viewer.zoomIn")}
        tooltipSide="top"
        onClick={() => onAction({ kind: "zoom", steps: 1, at: MIDDLE })}
      >
        <ZoomIn {...ICON_PROPS} />
      </IconButton>
      <span className={styles.line} />
      <IconButton
        className={styles.tool}
        label={t("viewer.rotate")}
        tooltipSide="top"
        onClick={() => onAction({ kind: "rotate", turns: 1 })}
      >
        <RotateCw {...ICON_PROPS} />
      </IconButton>
      <IconButton
        className={styles.tool}
        label={t(scale === 1 ? "viewer.ownSize" : "viewer.whole")}
        tooltipSide="top"
        onClick={() => onAction({ kind: "toggle", at: MIDDLE })}
      >
        {scale === 1 ? <Maximize {...ICON_PROPS} /> : <Scan {...ICON_PROPS} />}
      </IconButton>
    </>
  );
}
