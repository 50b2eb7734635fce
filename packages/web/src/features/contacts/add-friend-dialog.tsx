import { useRef, useState } from "react";
import type { UserInfo } from "@parley/protocol/entities";
import type { Failure } from "@parley/core/model/state";
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
import { FoundPerson } from "./found-person.tsx";

type Search =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly people: readonly UserInfo[] }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Finds people by a part of their name and sends friend requests. */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [search, setSearch] = useState<Search>({ kind: "none" });
  const [problem, setProblem] = useState<string | null>(null);
  const latestSearchId = useRef(0);

  const find = async () => {
    const query = name.trim();
    if (query === "") {
      setProblem(t("search.keywordNeeded"));
      field.current?.focus();
      return;
    }
    const searchId = ++latestSearchId.current;
    setSearch({ kind: "busy" });
    const result = await client.contacts.search(query);
    // Ignore the answer of an earlier search that arrives late.
    if (searchId !== latestSearchId.current) return;
    setSearch(
      result.ok ? { kind: "found", people: result.value } : { kind: "failed", failure: result.failure },
    );
  };
  const clear = () => {
    latestSearchId.current += 1;
    setName("");
    setSearch({ kind: "none" });
    field.current?.focus();
  };

  return (
    <Dialog isOpen onClose={onClose} title={t("friend.add")} width={480} isFlush>
      <SearchPanelForm
        ref={field}
        label={t("friend.findLabel")}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        onFind={() => void find()}
        isBusy={search.kind === "busy"}
        problem={problem}
      />
      <SearchPanelResults isBusy={search.kind === "busy"}>
        {search.kind === "none" && <SearchPanelHint>{t("friend.findHint")}</SearchPanelHint>}
        {search.kind === "failed" && (
          <SearchPanelHint>
            <p role="alert">{failureText(search.failure, t)}</p>
          </SearchPanelHint>
        )}
        {search.kind === "found" &&
          (search.people.length === 0 ? (
            <EmptyState
              illustration={<SearchIllustration />}
              text={t("friend.findEmpty")}
              action={<Button onClick={clear}>{t("friend.clearSearch")}</Button>}
            />
          ) : (
            <SearchPanelList>
              {search.people.map((person) => (
                <FoundPerson
                  key={person.id}
                  person={person}
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
