import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import type { GroupCard } from "@parley/protocol/entities";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FieldNote } from "../../ui/field.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { FoundGroup } from "./found-group.tsx";
import { Problem } from "./problem.tsx";
import { wantedNumber } from "./wanted-number.ts";
import styles from "./dialogs.module.css";

type Search =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly groups: readonly GroupCard[] }
  | { readonly kind: "failed"; readonly title: string | null; readonly reason: string };

type By = "name" | "number";

/** Looks groups up by a part of their name or by their number, and asks to be let in. */
export function JoinGroupDialog({ number, onClose }: { number: number | null; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ime = useImeGuard();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [by, setBy] = useState<By>(number === null ? "name" : "number");
  const [text, setText] = useState(number === null ? "" : String(number));
  const [problem, setProblem] = useState<string | null>(null);
  const [search, setSearch] = useState<Search>({ kind: "none" });
  const latest = useRef(0);

  const show = async (ask: () => Promise<Search>) => {
    const turn = ++latest.current;
    setProblem(null);
    setSearch({ kind: "busy" });
    const found = await ask();
    // A slower answer to an earlier question is not the one on the screen.
    if (turn === latest.current) setSearch(found);
  };
  const findByNumber = async (wanted: number): Promise<Search> => {
    const result = await client.groups.find(wanted);
    return result.ok
      ? { kind: "found", groups: [result.value] }
      : { kind: "failed", title: null, reason: failureText(result.failure, t) };
  };
  const findByName = async (wanted: string): Promise<Search> => {
    const result = await client.groups.search(wanted);
    return result.ok
      ? { kind: "found", groups: result.value }
      : { kind: "failed", title: t("groups.searchFailed"), reason: failureText(result.failure, t) };
  };
  const find = () => {
    const wanted = wantedNumber(text);
    if (by === "number" && wanted !== null) void show(() => findByNumber(wanted));
    else if (by === "name" && text.trim() !== "") void show(() => findByName(text.trim()));
    else {
      setProblem(t(by === "number" ? "groups.numberNeeded" : "groups.keywordNeeded"));
      field.current?.focus();
    }
  };
  const begin = (next: By) => {
    latest.current += 1;
    setBy(next);
    setText("");
    setProblem(null);
    setSearch({ kind: "none" });
  };
  // A number that came with the question is looked up at once.
  const findAtOnce = useEffectEvent(find);
  useEffect(() => {
    if (number !== null) findAtOnce();
  }, [number]);

  return (
    <Dialog isOpen onClose={onClose} title={t("groups.join")} width={480} isFlush>
      <div className={styles.kinds}>
        <span id={`${id}-by`} className="visually-hidden">
          {t("groups.findBy")}
        </span>
        <Segmented
          labelId={`${id}-by`}
          value={by}
          options={[
            { value: "name", text: t("groups.byName") },
            { value: "number", text: t("groups.byNumber") },
          ]}
          onChange={(next) => begin(next)}
        />
      </div>
      <form
        className={styles.search}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          find();
        }}
      >
        <SearchBox
          ref={field}
          label={t(by === "number" ? "groups.number" : "groups.nameOrNumber")}
          value={text}
          autoFocus
          inputMode={by === "number" ? "numeric" : "search"}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            // Enter would submit the form although the input method only takes its word.
            if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
          }}
          {...ime.handlers}
        />
        <Button variant="primary" type="submit" isBusy={search.kind === "busy"}>
          {t("friend.find")}
        </Button>
      </form>
      <div className={styles.searchNote}>
        <FieldNote id={`${id}-note`} error={problem} />
      </div>
      <div className={styles.results} aria-busy={search.kind === "busy" || undefined}>
        {search.kind === "busy" && (
          <div className={styles.busy}>
            <Spinner />
          </div>
        )}
        {search.kind === "none" && (
          <p className={styles.hint}>{t(by === "number" ? "groups.numberHint" : "groups.findHint")}</p>
        )}
        {search.kind === "failed" && (
          <div className={styles.hint}>
            <Problem text={search.title ?? search.reason} />
            {search.title !== null && search.reason}
          </div>
        )}
        {search.kind === "found" &&
          (search.groups.length === 0 ? (
            <EmptyState
              drawing="search"
              text={t("groups.noneFound")}
              action={
                <Button
                  onClick={() => {
                    begin(by);
                    field.current?.focus();
                  }}
                >
                  {t("friend.clearSearch")}
                </Button>
              }
            />
          ) : (
            <ul className={styles.list} aria-label={t("friend.results")}>
              {search.groups.map((group) => (
                <FoundGroup
                  key={group.id}
                  group={group}
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
