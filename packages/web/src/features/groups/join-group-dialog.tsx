import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { GroupCard } from "@parley/protocol/entities";
import { failureText } from "../../kit/failure-text.ts";
import { FinderForm, FinderHint, FinderList, FinderResults } from "../../kit/finder.tsx";
import { useText } from "../../kit/i18n.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchDrawing } from "../../ui/drawings.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Segmented } from "../../ui/segmented.tsx";
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
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [by, setBy] = useState<By>(number === null ? "name" : "number");
  const [text, setText] = useState(number === null ? "" : String(number));
  const [problem, setProblem] = useState<string | null>(null);
  const [search, setSearch] = useState<Search>({ kind: number === null ? "none" : "busy" });
  const latest = useRef(0);

  const look = async (ask: () => Promise<Search>) => {
    const turn = ++latest.current;
    const found = await ask();
    // A slower answer to an earlier question is not the one on the screen.
    if (turn === latest.current) setSearch(found);
  };
  const show = (ask: () => Promise<Search>) => {
    setProblem(null);
    setSearch({ kind: "busy" });
    void look(ask);
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
    if (by === "number" && wanted !== null) show(() => findByNumber(wanted));
    else if (by === "name" && text.trim() !== "") show(() => findByName(text.trim()));
    else {
      setProblem(t(by === "number" ? "groups.numberNeeded" : "search.keywordNeeded"));
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
  const lookAtOnce = useEffectEvent((wanted: number) => void look(() => findByNumber(wanted)));
  useEffect(() => {
    if (number !== null) lookAtOnce(number);
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
      <FinderForm
        ref={field}
        label={t(by === "number" ? "groups.number" : "groups.nameOrNumber")}
        value={text}
        inputMode={by === "number" ? "numeric" : "search"}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onFind={find}
        isBusy={search.kind === "busy"}
        problem={problem}
      />
      <FinderResults isBusy={search.kind === "busy"}>
        {search.kind === "none" && (
          <FinderHint>{t(by === "number" ? "groups.numberHint" : "groups.findHint")}</FinderHint>
        )}
        {search.kind === "failed" && (
          <FinderHint>
            <Problem text={search.title ?? search.reason} />
            {search.title !== null && search.reason}
          </FinderHint>
        )}
        {search.kind === "found" &&
          (search.groups.length === 0 ? (
            <EmptyState
              drawing={<SearchDrawing />}
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
            <FinderList>
              {search.groups.map((group) => (
                <FoundGroup
                  key={group.id}
                  group={group}
                  onLeave={onClose}
                  onDone={() => field.current?.focus()}
                />
              ))}
            </FinderList>
          ))}
      </FinderResults>
    </Dialog>
  );
}
