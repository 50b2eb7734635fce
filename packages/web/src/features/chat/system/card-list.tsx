import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import type { ChatMessage } from "@parley/core/model/state";
import { RowList } from "../../../ui/row-list.tsx";
import { RowErrorBoundary } from "../timeline/row-error-boundary.tsx";
import { BrokenRow } from "../timeline/tips.tsx";
import styles from "./system-chat.module.css";

/** A card that was not seen yet; those above the view all were. */
const ESTIMATED_HEIGHT_PX = 160;

const keyOf = (message: ChatMessage) => message.key;

interface CardListProps {
  cards: readonly ChatMessage[];
  children: (message: ChatMessage) => ReactNode;
  /** Cards came, went or turned out otherwise. */
  onLaidOut: () => void;
}

/** Cards one below the other, each as high as it turns out to be. */
export function CardList({ cards, children, onLaidOut }: CardListProps) {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(() => new Map());
  const note = useCallback(
    (key: string, height: number) =>
      setHeights((old) => (old.get(key) === height ? old : new Map(old).set(key, height))),
    [],
  );
  const heightOf = useCallback(
    (message: ChatMessage) => heights.get(message.key) ?? ESTIMATED_HEIGHT_PX,
    [heights],
  );
  useEffect(onLaidOut, [onLaidOut, cards, heights]);
  return (
    <RowList items={cards} keyOf={keyOf} rowHeight={heightOf} isMeasured isInScroller>
      {(message) => (
        <Measured id={message.key} onHeight={note}>
          <RowErrorBoundary fallback={<BrokenRow />}>{children(message)}</RowErrorBoundary>
        </Measured>
      )}
    </RowList>
  );
}

interface MeasuredProps {
  id: string;
  onHeight: (id: string, height: number) => void;
  children: ReactNode;
}

function Measured({ id, onHeight, children }: MeasuredProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const tell = () => onHeight(id, element.getBoundingClientRect().height);
    tell();
    const sizes = new ResizeObserver(() => flushSync(tell));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [id, onHeight]);
  return (
    <div ref={box} className={styles.card}>
      {children}
    </div>
  );
}
