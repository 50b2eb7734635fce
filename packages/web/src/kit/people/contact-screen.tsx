import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { Row } from "../../ui/layout.tsx";
import { ListPane, usePaneLayout } from "../../ui/list-pane.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useText } from "../i18n/i18n.ts";

/** The id of a person or a group in a path; null if there is none. */
export function idInPath(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

/** Fills the main area while no friend and no group is selected. */
export function NothingSelected({ illustration, text }: { illustration: ReactNode; text: string }) {
  return (
    <Row align="stretch" grow tone="secondary">
      <EmptyState illustration={illustration} text={text} />
    </Row>
  );
}

interface ContactListPaneProps {
  /** Name of the landmark. */
  label: string;
  searchLabel: string;
  filter: string;
  onFilter: (filter: string) => void;
  /** The button beside the search field. */
  add: ReactNode;
  /** Heading for screen readers, while the main area has none. */
  heading: string | null;
  /** Shown above the list while nothing is filtered out. */
  requests: ReactNode;
  isLoaded: boolean;
  /** The rows that match the filter; null if there are none. */
  list: ReactNode;
  notFoundText: string;
  /** Shown instead of the list if nothing is filtered out. */
  empty: ReactNode;
}

/** The pane with my friends or groups: a search field, requests, and the list or why it is empty. */
export function ContactListPane(props: ContactListPaneProps) {
  const { label, searchLabel, filter, onFilter, add, heading, requests } = props;
  const { isLoaded, list, notFoundText, empty } = props;
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  const search = (
    <SearchBox label={searchLabel} value={filter} onChange={(event) => onFilter(event.currentTarget.value)} />
  );
  const nothingFound = (
    <EmptyState
      illustration={<SearchIllustration />}
      text={notFoundText}
      action={
        <Button size="small" onClick={() => onFilter("")}>
          {t("friend.clearSearch")}
        </Button>
      }
    />
  );
  const isFiltered = filter.trim() !== "";
  return (
    <ListPane
      label={label}
      header={
        <>
          {!isCollapsed && search}
          {add}
        </>
      }
    >
      {heading !== null && <h1 className="visually-hidden">{heading}</h1>}
      {!isFiltered && requests}
      {list ?? (isFiltered ? nothingFound : isLoaded ? !isCollapsed && empty : <SkeletonRows />)}
    </ListPane>
  );
}
