import { createContext, useContext } from "react";
import type { CSSProperties, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Resizer } from "./resizer.tsx";
import { useIsMobile } from "./use-media.ts";
import { useUiTexts } from "./ui-texts.ts";
import styles from "./list-pane.module.css";

/** How the shell lays out list and detail; the features only read it. */
export interface PaneLayout {
  readonly width: number;
  readonly minWidth: number;
  readonly maxWidth: number;
  readonly defaultWidth: number;
  /** 68 px: pictures and badges only. Never on mobile. */
  readonly isCollapsed: boolean;
  /** A lasting state told under a header, e.g. that there is no network. */
  readonly banner: ReactNode;
  readonly setWidth: (width: number) => void;
  readonly setCollapsed: (isCollapsed: boolean) => void;
}

const Layout = createContext<PaneLayout>({
  width: 250,
  minWidth: 200,
  maxWidth: 400,
  defaultWidth: 250,
  isCollapsed: false,
  banner: null,
  setWidth: () => undefined,
  setCollapsed: () => undefined,
});

export const PaneLayoutProvider = Layout.Provider;

export function usePaneLayout(): PaneLayout {
  const layout = useContext(Layout);
  const isMobile = useIsMobile();
  return isMobile && layout.isCollapsed ? { ...layout, isCollapsed: false } : layout;
}

export interface ListPaneProps {
  /** Name of the landmark. */
  label: string;
  /** The 52 px on top: search, add. */
  header: ReactNode;
  children: ReactNode;
}

/**
 * The list beside a main area, with its border to drag. A screen renders `<ListPane>` and `<MainPane>` side by side; on mobile it
 * renders the one its route asks for.
 */
export function ListPane({ label, header, children }: ListPaneProps) {
  const layout = usePaneLayout();
  const isMobile = useIsMobile();
  const texts = useUiTexts();
  const style = isMobile || layout.isCollapsed ? undefined : { "--list": `${layout.width}px` };
  return (
    <section
      className={classNames(styles.list, layout.isCollapsed && styles.collapsed)}
      style={style as CSSProperties | undefined}
      aria-label={label}
      tabIndex={-1}
      data-landmark="list"
    >
      <div className={styles.head}>{header}</div>
      {isMobile && layout.banner}
      <div className={styles.content}>{children}</div>
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
    </section>
  );
}

export interface MainPaneProps {
  /** Name of the landmark. */
  label: string;
  /** The children place `<PaneBanner>` themselves, under their header. */
  hasOwnBanner?: boolean;
  /** On the message area's colour (default) or the window's. */
  ground?: "chat" | "bg";
  /** Something lies over all of it. */
  isCovered?: boolean;
  children: ReactNode;
}

/** Goes right under the header of a main pane: the shell's bar, when there is something to tell. */
export function PaneBanner() {
  return usePaneLayout().banner;
}

/** The rest of the window beside the list: the page's `main`. */
export function MainPane(props: MainPaneProps) {
  const { label, hasOwnBanner = false, ground = "chat", isCovered = false, children } = props;
  return (
    <main
      id="main"
      className={classNames(styles.main, styles[ground])}
      aria-label={label}
      tabIndex={-1}
      inert={isCovered}
      data-landmark="main"
    >
      {!hasOwnBanner && <PaneBanner />}
      {children}
    </main>
  );
}
