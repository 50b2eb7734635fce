import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import type { ChatMessage } from "@parley/core/model/state";
import { RowList } from "../../../ui/row-list.tsx";
import { BrokenRow, RowErrorBoundary } from "../timeline/tips.tsx";
import styles from "./system-chat.module.css";

/** The height of a card that has not been measured yet. All cards above the view have been. */
const ESTIMATED_HEIGHT_PX = 160;

const keyOf = (message: ChatMessage) => message.key;

interface CardListProps {
  cards: readonly ChatMessage[];
  children: (message: ChatMessage) => ReactNode;
  /** Called when cards or their heights have changed. */
  onLayoutChange: () => void;
}

/** A virtual list of cards with measured heights. */
export function CardList({ cards, children, onLayoutChange }: CardListProps) {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(() => new Map());
  const setHeight = useCallback(
    (key: string, height: number) =>
      setHeights((old) => (old.get(key) === height ? old : new Map(old).set(key, height))),
    [],
  );
  const heightOf = useCallback(
    (message: ChatMessage) => heights.get(message.key) ?? ESTIMATED_HEIGHT_PX,
    [heights],
  );
  useEffect(onLayoutChange, [onLayoutChange, cards, heights]);
  return (
    <RowList items={cards} keyOf={keyOf} rowHeight={heightOf} isMeasured isInScroller>
      {(message) => (
        <Measured id={message.key} onHeight={setHeight}>
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
    const report = () => onHeight(id, element.getBoundingClientRect().height);
    report();
    const observer = new ResizeObserver(() => flushSync(report));
    observer.observe(element);
    return () => observer.disconnect();
  }, [id, onHeight]);
  return (
    <div ref={box} className={styles.card}>
      {children}
    </div>
  );
}
