import { createContext, useContext } from "react";
import type { CSSProperties, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Row, Stack } from "./layout.tsx";
import { Resizer } from "./resizer.tsx";
import { useIsMobile } from "./use-media.ts";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./list-pane.module.css";

/** Layout of list and main area, which the shell provides. */
export interface PaneLayout {
  /** px at the default text size, like the three widths below. */
  readonly width: number;
  readonly minWidth: number;
  readonly maxWidth: number;
  readonly defaultWidth: number;
  /** The list is 68 px wide and shows pictures and badges only. Never on mobile. */
  readonly isCollapsed: boolean;
  /** Shown below a header for a lasting state, e.g. that there is no network. */
  readonly banner: ReactNode;
  readonly setWidth: (width: number) => void;
  readonly setCollapsed: (isCollapsed: boolean) => void;
}

/** The width of the list before a person has changed it (spec §9). */
export const SIDEBAR_DEFAULT_PX = 250;

const PaneLayoutContext = createContext<PaneLayout>({
  width: SIDEBAR_DEFAULT_PX,
  minWidth: SIDEBAR_DEFAULT_PX,
  maxWidth: SIDEBAR_DEFAULT_PX,
  defaultWidth: SIDEBAR_DEFAULT_PX,
  isCollapsed: false,
  banner: null,
  setWidth: () => undefined,
  setCollapsed: () => undefined,
});

/** Provides the layout to the panes. */
export const PaneLayoutProvider = PaneLayoutContext.Provider;

/** The layout of the panes. On mobile the list is never collapsed. */
export function usePaneLayout(): PaneLayout {
  const layout = useContext(PaneLayoutContext);
  const isMobile = useIsMobile();
  return isMobile && layout.isCollapsed ? { ...layout, isCollapsed: false } : layout;
}

export interface ListPaneProps {
  /** Name of the landmark. */
  label: string;
  /** The 52 px high bar at the top: search and add. */
  header: ReactNode;
  /** The newest rows are shown, and the others are still being loaded. */
  isPartial?: boolean;
  children: ReactNode;
}

/**
 * The list beside a main area, with a border that can be dragged. A screen renders `<ListPane>` and `<MainPane>` side by side; on mobile it
 * renders only the one that its route asks for.
 */
export function ListPane({ label, header, isPartial = false, children }: ListPaneProps) {
  const layout = usePaneLayout();
  const isMobile = useIsMobile();
  const texts = useUiTexts();
  // Where one pane shows at a time, the list is the main content.
  const Pane = isMobile ? "main" : "section";
  const style = isMobile || layout.isCollapsed ? undefined : { "--list": `${layout.width / 16}rem` };
  return (
    <Pane
      id={isMobile ? "main" : undefined}
      className={classNames(styles.list, layout.isCollapsed && styles.collapsed)}
      style={style as CSSProperties | undefined}
      aria-label={label}
      tabIndex={-1}
      data-landmark="list"
      data-partial={isPartial || undefined}
    >
      <Row gap={4} shrink={false} className={styles.head}>
        {header}
      </Row>
      {isMobile && layout.banner}
      <Stack grow>{children}</Stack>
      {!isMobile && !layout.isCollapsed && (
        <Resizer
          label={texts.resizeList}
          value={layout.width}
          min={layout.minWidth}
          max={layout.maxWidth}
          defaultValue={layout.defaultWidth}
          onChange={layout.setWidth}
        />
      )}
    </Pane>
  );
}

export interface MainPaneProps {
  /** Name of the landmark. */
  label: string;
  /** The children render `<PaneBanner>` themselves, below their header. */
  hasOwnBanner?: boolean;
  /** Background: the colour of the message area (default) or of the window. */
  background?: "chat" | "window";
  /** Something covers the whole pane, so its content is inert. */
  isCovered?: boolean;
  children: ReactNode;
}

/** The shell's bar, if there is one to show. Place it right below the header of a main pane. */
export function PaneBanner() {
  return usePaneLayout().banner;
}

/** The area beside the list: the page's `main`. */
export function MainPane(props: MainPaneProps) {
  const { label, hasOwnBanner = false, background = "chat", isCovered = false, children } = props;
  return (
    <Stack
      as="main"
      id="main"
      grow
      className={classNames(styles.main, styles[background])}
      aria-label={label}
      tabIndex={-1}
      inert={isCovered}
      data-landmark="main"
    >
      {!hasOwnBanner && <PaneBanner />}
      {children}
    </Stack>
  );
}
