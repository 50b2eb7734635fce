import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { GroupCard } from "@parley/protocol/entities";
import { failureText } from "../../kit/failure-text.ts";
import {
  SearchPanelForm,
  SearchPanelHint,
  SearchPanelList,
  SearchPanelResults,
} from "../../kit/search-panel.tsx";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { FoundGroup } from "./found-group.tsx";
import { DialogError } from "./dialog-error.tsx";
import { parseGroupNumber } from "./parse-group-number.ts";
import styles from "./dialogs.module.css";

type Search =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly groups: readonly GroupCard[] }
  | { readonly kind: "failed"; readonly title: string | null; readonly reason: string };

type SearchMode = "name" | "number";

/** Finds groups by a part of their name or by their number, and sends requests to join. */
export function JoinGroupDialog({ number, onClose }: { number: number | null; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [searchMode, setSearchMode] = useState<SearchMode>(number === null ? "name" : "number");
  const [text, setText] = useState(number === null ? "" : String(number));
  const [problem, setProblem] = useState<string | null>(null);
  const [search, setSearch] = useState<Search>({ kind: number === null ? "none" : "busy" });
  const latestSearchId = useRef(0);

  const runSearch = async (request: () => Promise<Search>) => {
    const searchId = ++latestSearchId.current;
    const found = await request();
    // Ignore the answer of an earlier search that arrives late.
    if (searchId === latestSearchId.current) setSearch(found);
  };
  const startSearch = (request: () => Promise<Search>) => {
    setProblem(null);
    setSearch({ kind: "busy" });
    void runSearch(request);
  };
  const findByNumber = async (groupNumber: number): Promise<Search> => {
    const result = await client.groups.find(groupNumber);
    return result.ok
      ? { kind: "found", groups: [result.value] }
      : { kind: "failed", title: null, reason: failureText(result.failure, t) };
  };
  const findByName = async (name: string): Promise<Search> => {
    const result = await client.groups.search(name);
    return result.ok
      ? { kind: "found", groups: result.value }
      : { kind: "failed", title: t("groups.searchFailed"), reason: failureText(result.failure, t) };
  };
  const find = () => {
    const groupNumber = parseGroupNumber(text);
    if (searchMode === "number" && groupNumber !== null) startSearch(() => findByNumber(groupNumber));
    else if (searchMode === "name" && text.trim() !== "") startSearch(() => findByName(text.trim()));
    else {
      setProblem(t(searchMode === "number" ? "groups.numberNeeded" : "search.keywordNeeded"));
      field.current?.focus();
    }
  };
  const resetSearch = (next: SearchMode) => {
    latestSearchId.current += 1;
    setSearchMode(next);
    setText("");
    setProblem(null);
    setSearch({ kind: "none" });
  };
  // Search at once for a number that the caller gave.
  const searchInitialNumber = useEffectEvent(
    (groupNumber: number) => void runSearch(() => findByNumber(groupNumber)),
  );
  useEffect(() => {
    if (number !== null) searchInitialNumber(number);
  }, [number]);

  return (
    <Dialog isOpen onClose={onClose} title={t("groups.join")} width={480} isFlush>
      <div className={styles.kinds}>
        <span id={`${id}-by`} className="visually-hidden">
          {t("groups.findBy")}
        </span>
        <Segmented
          labelId={`${id}-by`}
          value={searchMode}
          options={[
            { value: "name", text: t("groups.byName") },
            { value: "number", text: t("groups.byNumber") },
          ]}
          onChange={resetSearch}
        />
      </div>
      <SearchPanelForm
        ref={field}
        label={t(searchMode === "number" ? "groups.number" : "groups.nameOrNumber")}
        value={text}
        inputMode={searchMode === "number" ? "numeric" : "search"}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onFind={find}
        isBusy={search.kind === "busy"}
        problem={problem}
      />
      <SearchPanelResults isBusy={search.kind === "busy"}>
        {search.kind === "none" && (
          <SearchPanelHint>
            {t(searchMode === "number" ? "groups.numberHint" : "groups.findHint")}
          </SearchPanelHint>
        )}
        {search.kind === "failed" && (
          <SearchPanelHint>
            <DialogError text={search.title ?? search.reason} />
            {search.title !== null && search.reason}
          </SearchPanelHint>
        )}
        {search.kind === "found" &&
          (search.groups.length === 0 ? (
            <EmptyState
              illustration={<SearchIllustration />}
              text={t("groups.noneFound")}
              action={
                <Button
                  onClick={() => {
                    resetSearch(searchMode);
                    field.current?.focus();
                  }}
                >
                  {t("friend.clearSearch")}
                </Button>
              }
            />
          ) : (
            <SearchPanelList>
              {search.groups.map((group) => (
                <FoundGroup
                  key={group.id}
                  group={group}
                  onCloseDialog={onClose}
                  onDone={() => field.current?.focus()}
                />
              ))}
            </SearchPanelList>
          ))}
      </SearchPanelResults>
    </Dialog>
  );
}
