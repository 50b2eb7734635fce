import { useId, useState } from "react";
import type { GroupCard } from "@parley/protocol/entities";
import { isVisible } from "@parley/protocol/text";
import type { Result } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { SearchPanel } from "../../kit/search-panel.tsx";
import { useClient } from "../../kit/use-client.ts";
import { useServerSearch } from "../../kit/use-server-search.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { DialogError } from "./dialog-error.tsx";
import { FoundGroup } from "./found-group.tsx";
import { parseGroupNumber } from "./parse-group-number.ts";
import styles from "./dialogs.module.css";

type SearchMode = "name" | "number";

/** Finds groups by a part of their name or by their number, and sends requests to join. */
export function JoinGroupDialog({ number, onClose }: { number: number | null; onClose: () => void }) {
  const t = useText();
  const { groups } = useClient();
  const id = useId();
  const [searchMode, setSearchMode] = useState<SearchMode>(number === null ? "name" : "number");
  const isByNumber = searchMode === "number";

  const findByNumber = async (groupNumber: number): Promise<Result<readonly GroupCard[]>> => {
    const result = await groups.find(groupNumber);
    return result.ok ? { ok: true, value: [result.value] } : result;
  };
  const search = useServerSearch<GroupCard>({
    initialText: number === null ? "" : String(number),
    find(text) {
      if (!isByNumber) return !isVisible(text) ? t("search.keywordNeeded") : groups.search(text.trim());
      const groupNumber = parseGroupNumber(text);
      return groupNumber === null ? t("groups.numberNeeded") : findByNumber(groupNumber);
    },
  });

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
          onChange={(mode) => {
            setSearchMode(mode);
            search.reset();
          }}
        />
      </div>
      <SearchPanel
        search={search}
        label={t(isByNumber ? "groups.number" : "groups.nameOrNumber")}
        inputMode={isByNumber ? "numeric" : "search"}
        hint={t(isByNumber ? "groups.numberHint" : "groups.findHint")}
        emptyText={t("groups.noneFound")}
        renderFailure={(failure) => {
          const reason = failureText(failure, t);
          return (
            <>
              <DialogError text={isByNumber ? reason : t("groups.searchFailed")} />
              {!isByNumber && reason}
            </>
          );
        }}
      >
        {(group) => <FoundGroup key={group.id} group={group} onCloseDialog={onClose} onDone={search.focus} />}
      </SearchPanel>
    </Dialog>
  );
}
