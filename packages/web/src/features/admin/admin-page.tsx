import type { ReactNode } from "react";
import { ChevronLeft } from "lucide-react";
import { useLocation } from "wouter";
import { useText } from "../../kit/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { ICON_PROPS_24 } from "../../ui/icon-props.ts";
import { MainPane } from "../../ui/list-pane.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import styles from "./admin-page.module.css";
import { LoadFailure } from "./load-failure.tsx";
import type { Loaded } from "./use-loaded.ts";

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
      <header className={styles.head}>
        {isMobile && (
          <IconButton label={t("admin.allPages")} onClick={() => navigate("/admin")}>
            <ChevronLeft {...ICON_PROPS_24} />
          </IconButton>
        )}
        <h1 className={styles.title}>{title}</h1>
        {actions}
      </header>
      <div className={styles.content}>{children}</div>
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
