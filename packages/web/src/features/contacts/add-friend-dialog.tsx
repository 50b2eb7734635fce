import { useRef, useState } from "react";
import type { FormEvent } from "react";
import type { UserInfo } from "@parley/protocol/entities";
import type { Failure } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { FoundPerson } from "./found-person.tsx";
import styles from "./add-friend-dialog.module.css";

type Search =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly people: readonly UserInfo[] }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Looks people up by a part of their name and asks them to be friends. */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ime = useImeGuard();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [search, setSearch] = useState<Search>({ kind: "none" });
  const latest = useRef(0);

  const find = async () => {
    const wanted = name.trim();
    if (wanted === "") return;
    const turn = ++latest.current;
    setSearch({ kind: "busy" });
    const result = await client.contacts.search(wanted);
    // A slower answer to an earlier question is not the one on the screen.
    if (turn !== latest.current) return;
    setSearch(
      result.ok ? { kind: "found", people: result.value } : { kind: "failed", failure: result.failure },
    );
  };
  const clear = () => {
    latest.current += 1;
    setName("");
    setSearch({ kind: "none" });
    field.current?.focus();
  };

  return (
    <Dialog isOpen onClose={onClose} title={t("friend.add")} width={480} isFlush>
      <form
        className={styles.search}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void find();
        }}
      >
        <SearchBox
          ref={field}
          label={t("friend.findLabel")}
          value={name}
          autoFocus
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter would submit the form although the input method only takes its word.
            if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
          }}
          {...ime.handlers}
        />
        <Button variant="primary" type="submit" disabled={name.trim() === ""} isBusy={search.kind === "busy"}>
          {t("friend.find")}
        </Button>
      </form>
      <div className={styles.results} aria-busy={search.kind === "busy" || undefined}>
        {search.kind === "busy" && (
          <div className={styles.busy}>
            <Spinner />
          </div>
        )}
        {search.kind === "none" && <p className={styles.hint}>{t("friend.findHint")}</p>}
        {search.kind === "failed" && (
          <p className={styles.hint} role="alert">
            {failureText(search.failure, t)}
          </p>
        )}
        {search.kind === "found" &&
          (search.people.length === 0 ? (
            <EmptyState
              drawing="search"
              text={t("friend.findEmpty")}
              action={<Button onClick={clear}>{t("friend.clearSearch")}</Button>}
            />
          ) : (
            <ul className={styles.people} aria-label={t("friend.results")}>
              {search.people.map((person) => (
                <FoundPerson
                  key={person.id}
                  person={person}
                  onLeave={onClose}
                  onDone={() => field.current?.focus()}
                />
              ))}
            </ul>
          ))}
      </div>
    </Dialog>
  );
}
