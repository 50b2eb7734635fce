import type { ReactNode } from "react";
import { ChevronLeft } from "lucide-react";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { Box, Row, Text } from "../../ui/layout.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import styles from "./detail-page.module.css";

interface DetailPageProps {
  /** Label of the button that leads back to the list, on small screens. */
  backLabel: string;
  onBack: () => void;
  /** Shown at the end of the bar. */
  more?: ReactNode;
  children: ReactNode;
}

/** The page of a person or a group. */
export function DetailPage({ backLabel, onBack, more, children }: DetailPageProps) {
  const isMobile = useIsMobile();
  return (
    <Box grow scroll>
      <Row as="header" paddingX={12} className={styles.bar}>
        {isMobile && (
          <IconButton label={backLabel} onClick={onBack}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        {more !== undefined && <span className={styles.more}>{more}</span>}
      </Row>
      {children}
    </Box>
  );
}

interface DetailHeadProps {
  picture: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** The head of the page: a picture, and beside it the name and other lines. */
export function DetailHead({ picture, className, children }: DetailHeadProps) {
  return (
    <Row gap={24} className={classNames(styles.head, className)}>
      {picture}
      <Box grow>{children}</Box>
    </Row>
  );
}

/** The name in the head. */
export function DetailName({ children }: { children: ReactNode }) {
  return (
    <Text as="h1" shrink size={20} weight="title" className={styles.name}>
      <bdi>{children}</bdi>
    </Text>
  );
}
