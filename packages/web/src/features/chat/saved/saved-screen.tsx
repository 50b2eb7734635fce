import { useMemo, useState } from "react";
import { ChevronLeft } from "lucide-react";
import { findSaved, type SavedItem, savedItems } from "@parley/core/model/chats/saved-messages";
import { searchTextOf } from "@parley/protocol/search-text";
import { goUp } from "../../../kit/dialogs/go-up.ts";
import { failureText } from "../../../kit/i18n/failure-text.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../kit/loading/use-client.ts";
import { useLoaded } from "../../../kit/loading/use-loaded.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ChoiceChips } from "../../../ui/choice-chips.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ICON_PROPS_24 } from "../../../ui/icon-props.ts";
import { ChatsIllustration, SearchIllustration } from "../../../ui/illustrations.tsx";
import { Box, Row, Stack, Text } from "../../../ui/layout.tsx";
import { MainPane } from "../../../ui/list-pane.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import { ForwardToDialog } from "../message/forward-to-dialog.tsx";
import { SavedDialog } from "./saved-dialog.tsx";
import { isOfSavedKind, SAVED_KINDS, type SavedKind } from "./saved-kinds.ts";
import { SavedRow, savedRowHeight } from "./saved-row.tsx";
import styles from "./saved.module.css";

/** `/home/me/saved`: the messages that this person has saved, with a search and a choice by kind. */
export function SavedScreen() {
  const t = useText();
  const isMobile = useIsMobile();
  const [typed, setTyped] = useState("");
  const [kind, setKind] = useState<SavedKind>("all");
  const [sent, setSent] = useState<SavedItem | null>(null);
  const [edited, setEdited] = useState<SavedItem | null>(null);
  const query = searchTextOf(typed);
  const items = useSavedItems();
  const shown = useMemo(
    () => findSaved(items, query).filter(({ message }) => isOfSavedKind(kind, message)),
    [items, query, kind],
  );
  const loading = useSavedLoading();
  return (
    <MainPane label={t("saved.title")} background="window">
      <Stack grow className={styles.page}>
        <Row as="header" gap={8} shrink={false} className={styles.head}>
          {isMobile && (
            <IconButton label={t("saved.back")} onClick={() => goUp("/home/me")}>
              <ChevronLeft {...ICON_PROPS_24} />
            </IconButton>
          )}
          <Text as="h1" size={16} weight="title" nowrap>
            {t("saved.title")}
          </Text>
          <div className={styles.search}>
            <SearchBox
              label={t("saved.search")}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </div>
        </Row>
        <div className={styles.kinds}>
          <ChoiceChips
            label={t("saved.kinds")}
            value={kind}
            options={SAVED_KINDS.map((value) => {
              const text = t(`saved.kind.${value}`);
              return { value, text, tooltip: text };
            })}
            onChange={setKind}
          />
        </div>
        {shown.length > 0 ? (
          <RowList items={shown} keyOf={idOf} rowHeight={savedRowHeight} listLabel={t("saved.title")}>
            {(item) => <SavedRow item={item} query={query} onSend={setSent} onEdit={setEdited} />}
          </RowList>
        ) : items.length > 0 ? (
          <Box grow scroll className={styles.nothing}>
            <EmptyState
              illustration={<SearchIllustration />}
              text={t("saved.notFound")}
              action={
                <Button
                  size="small"
                  onClick={() => {
                    setTyped("");
                    setKind("all");
                  }}
                >
                  {t("saved.showAll")}
                </Button>
              }
            />
          </Box>
        ) : loading.isFirst ? (
          <SkeletonRows />
        ) : (
          loading.failure === null && (
            <Box grow scroll className={styles.nothing}>
              <EmptyState illustration={<ChatsIllustration />} text={t("saved.empty")} />
            </Box>
          )
        )}
        <div role="status" className={styles.status}>
          {loading.failure !== null && (
            <>
              <span>{`${t("saved.loadFailed")}${t("app.listSeparator")}${failureText(loading.failure, t)}`}</span>
              <Button variant="ghost" size="small" onClick={loading.reload}>
                {t("app.retry")}
              </Button>
            </>
          )}
        </div>
      </Stack>
      {sent !== null && <ForwardToDialog from={sent.key} ids={[sent.id]} onClose={() => setSent(null)} />}
      {edited !== null && <SavedDialog item={edited} onClose={() => setEdited(null)} />}
    </MainPane>
  );
}

const idOf = ({ id }: SavedItem): number => id;

function useSavedItems(): readonly SavedItem[] {
  const saved = useClientState((state) => state.saved);
  const unsentSaves = useClientState((state) => state.unsentSaves);
  const savedCopies = useClientState((state) => state.savedCopies);
  const chats = useClientState((state) => state.chats);
  return useMemo(
    () => savedItems({ saved, unsentSaves, savedCopies, chats }),
    [saved, unsentSaves, savedCopies, chats],
  );
}

/** Loads the copies while the screen shows, again after each outage. `isFirst`: it is not known yet whether anything is saved. */
function useSavedLoading() {
  const client = useClient();
  const connection = useClientState((state) => state.connection.kind);
  const isNew = useClientState((state) => state.pulled === "never");
  const { failure, isLoading, reload } = useLoaded(() => client.chats.loadSaved(), connection);
  return { failure, reload, isFirst: isLoading || isNew };
}
