import type { CSSProperties } from "react";
import { Box, Row } from "./layout.tsx";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./skeleton.module.css";

export interface SkeletonProps {
  /** A number of px, or a CSS length. */
  width: number | string;
  height: number;
  radius?: number;
}

/** A grey placeholder for content that is being loaded. The region around it must have `aria-busy`. */
export function Skeleton({ width, height, radius = 4 }: SkeletonProps) {
  return (
    <span
      className={styles.block}
      style={{ inlineSize: width, blockSize: height, borderRadius: radius } satisfies CSSProperties}
    />
  );
}

/** Placeholder rows of a list that is being loaded. */
export function SkeletonRows({ count = 8 }: { count?: number }) {
  const texts = useUiTexts();
  return (
    <Box grow className={styles.rows} aria-busy="true">
      <output className="visually-hidden">{texts.loading}</output>
      {Array.from({ length: count }, (_, index) => (
        <Row key={index} gap={12} paddingX={12} className={styles.row} aria-hidden="true">
          <Skeleton width={40} height={40} radius={999} />
          <div className={styles.lines}>
            <Skeleton width={`${[58, 44, 66, 50][index % 4]}%`} height={12} />
            <Skeleton width={`${[82, 70, 60, 90][index % 4]}%`} height={10} />
          </div>
        </Row>
      ))}
    </Box>
  );
}
