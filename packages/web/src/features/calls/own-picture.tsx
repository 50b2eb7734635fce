import { useState } from "react";
import type { StreamData } from "@parley/core/call-ports";
import { useText } from "../../kit/i18n.ts";
import { classNames } from "../../ui/class-names.ts";
import { CallVideo } from "./call-stream.tsx";
import { useDrag } from "./use-drag.ts";
import styles from "./own-picture.module.css";

/** Clockwise. */
const CORNERS = ["topEnd", "bottomEnd", "bottomStart", "topStart"] as const;
type Corner = (typeof CORNERS)[number];

interface OwnPictureProps {
  readonly stream: StreamData | null;
  readonly isScreen: boolean;
}

/** What the own camera or screen shows, in a corner. The pointer moves it to another corner; a press moves it to the next one. */
export function OwnPicture({ stream, isScreen }: OwnPictureProps) {
  const t = useText();
  const [corner, setCorner] = useState<Corner>("topEnd");
  const { offset, handlers } = useDrag<HTMLButtonElement>((moved, element) => {
    const stage = element.offsetParent;
    if (stage !== null) setCorner(nearestCorner(element, moved, stage));
  });
  const next = () => setCorner(CORNERS[(CORNERS.indexOf(corner) + 1) % CORNERS.length] ?? "topEnd");
  return (
    <button
      type="button"
      className={classNames(styles.own, styles[corner], offset !== null && styles.dragged)}
      style={offset === null ? undefined : { transform: `translate(${offset.x}px, ${offset.y}px)` }}
      aria-label={t("call.moveOwn")}
      onClick={next}
      {...handlers}
    >
      <CallVideo stream={stream} isMirrored={!isScreen} fit={isScreen ? "contain" : "cover"} />
      <span className={styles.tag} aria-hidden="true">
        {t(isScreen ? "call.ownScreen" : "call.me")}
      </span>
    </button>
  );
}

function nearestCorner(
  element: HTMLElement,
  moved: { readonly x: number; readonly y: number },
  stage: Element,
): Corner {
  const isRight = element.offsetLeft + moved.x + element.offsetWidth / 2 > stage.clientWidth / 2;
  const isBottom = element.offsetTop + moved.y + element.offsetHeight / 2 > stage.clientHeight / 2;
  const isEnd = isRight === (getComputedStyle(element).direction === "ltr");
  return `${isBottom ? "bottom" : "top"}${isEnd ? "End" : "Start"}`;
}
