import type { ReactNode } from "react";
import { ChevronLeft } from "lucide-react";
import { useLocation } from "wouter";
import type { Failure } from "@parley/core/model/state";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import type { Loaded } from "../../kit/loading/use-loaded.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { FailureText } from "../../ui/failure-text.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { Box, Card, Row, Text } from "../../ui/layout.tsx";
import { MainPane } from "../../ui/list-pane.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import styles from "./admin-page.module.css";

interface AdminPageProps {
  title: string;
  /** Buttons at the end of the header. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the administration: its title, its buttons, and what scrolls below. On a phone "back" leads to the list of pages. */
export function AdminPage({ title, actions, children }: AdminPageProps) {
  const t = useText();
  const isMobile = useIsMobile();
  const [, navigate] = useLocation();
  return (
    <MainPane label={title} background="window">
      <Row as="header" gap={8} shrink={false} paddingX={24} paddingY={8} className={styles.head}>
        {isMobile && (
          <IconButton label={t("admin.allPages")} onClick={() => navigate("/admin")}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        <Text as="h1" grow size={16} weight="title">
          {title}
        </Text>
        {actions}
      </Row>
      <Box grow scroll className={styles.content}>
        {children}
      </Box>
    </MainPane>
  );
}

/** Shows what was loaded; before that a skeleton, and why it failed. */
export function LoadedContent<Value>({
  loaded,
  children,
}: {
  loaded: Loaded<Value>;
  children: (value: Value) => ReactNode;
}) {
  const { value, failure, isLoading, reload } = loaded;
  return (
    <>
      {failure !== null && <LoadFailure failure={failure} onRetry={reload} />}
      {value !== null ? children(value) : isLoading && <SkeletonRows count={6} />}
    </>
  );
}

/** How the box looks that says what failed. */
export const FAILURE_BOX = {
  variant: "danger",
  direction: "row",
  wrap: true,
  gap: 8,
  paddingX: 12,
  paddingY: 8,
  marginBottom: 12,
  size: 13,
  tone: "danger",
  className: styles.failure,
} as const;

/** Why something could not be loaded, and the way to try again. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useText();
  return (
    <Card {...FAILURE_BOX} role={failure.kind === "refused" ? undefined : "alert"}>
      <AlertIcon size={16} />
      <span>{failureText(failure, t)}</span>
      <Button size="small" onClick={onRetry}>
        {t("app.retry")}
      </Button>
    </Card>
  );
}

/** Why an act failed, beside the button that asked for it. */
export function ActFailure({ failure }: { failure: Failure | null }) {
  const t = useText();
  if (failure === null) return null;
  const text = failureText(failure, t);
  return (
    <Card as={FailureText} {...FAILURE_BOX} text={text}>
      <AlertIcon size={16} />
      <span>{text}</span>
    </Card>
  );
}
