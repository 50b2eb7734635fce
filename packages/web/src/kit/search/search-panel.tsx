import { useEffect, useId, useRef, useEffectEvent, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Failure, Result } from "@parley/core/model/state";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FieldNote } from "../../ui/field.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { SearchBox, type SearchBoxProps } from "../../ui/search-box.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useText } from "../i18n/i18n.ts";
import styles from "./search-panel.module.css";

interface SearchPanelProps<Item> extends Pick<SearchBoxProps, "label" | "inputMode"> {
  search: ServerSearch<Item>;
  /** Shown before the first search. */
  hint: string;
  /** Shown if nothing was found. */
  emptyText: string;
  renderFailure: (failure: Failure) => ReactNode;
  children: (item: Item) => ReactNode;
}

/** A dialog that searches on the server: the field, and below it what was found, a hint, or a spinner. */
export function SearchPanel<Item>(props: SearchPanelProps<Item>) {
  const { search, hint, emptyText, renderFailure, children, ...field } = props;
  const { state, problem } = search;
  const isBusy = state.kind === "busy";
  const t = useText();
  const ime = useImeGuard();
  const noteId = useId();
  return (
    <>
      <Row
        as="form"
        gap={8}
        paddingX={24}
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          search.submit();
        }}
      >
        <SearchBox
          ref={search.field}
          autoFocus
          aria-invalid={problem !== null || undefined}
          aria-describedby={noteId}
          {...field}
          value={search.text}
          onChange={(event) => search.change(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The input method uses this Enter to accept a word; do not submit the form.
            if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
          }}
          {...ime.handlers}
        />
        <Button variant="primary" type="submit" isBusy={isBusy}>
          {t("friend.find")}
        </Button>
      </Row>
      <Box paddingX={24} className={styles.problem}>
        <FieldNote id={noteId} error={problem} />
      </Box>
      <Stack scroll marginTop={16} className={styles.results} aria-busy={isBusy || undefined}>
        {isBusy && (
          <div className={styles.hint}>
            <Spinner />
          </div>
        )}
        {state.kind === "none" && <div className={styles.hint}>{hint}</div>}
        {state.kind === "failed" && <div className={styles.hint}>{renderFailure(state.failure)}</div>}
        {state.kind === "found" &&
          (state.items.length === 0 ? (
            <EmptyState
              illustration={<SearchIllustration />}
              text={emptyText}
              action={<Button onClick={search.clear}>{t("friend.clearSearch")}</Button>}
            />
          ) : (
            <SearchPanelList>{state.items.map((item) => children(item))}</SearchPanelList>
          ))}
      </Stack>
    </>
  );
}

/** The list of results. */
export function SearchPanelList({ children }: { children: ReactNode }) {
  const t = useText();
  return (
    <Box as="ul" paddingY={8} aria-label={t("friend.results")}>
      {children}
    </Box>
  );
}

interface SearchPanelRowProps {
  avatar: ReactNode;
  name: string;
  second: ReactNode;
  /** The possible action, or the state if there is none. */
  children: ReactNode;
  /** The form that opened below the row. */
  below?: ReactNode;
}

/** One result. */
export function SearchPanelRow({ avatar, name, second, children, below, ...data }: SearchPanelRowProps) {
  return (
    <Box as="li" paddingX={24} className={styles.row} {...data}>
      <Row gap={12} className={styles.line}>
        {avatar}
        <div className={styles.words}>
          <Text as="div" truncate line={20} weight="name" textAlign="start">
            <bdi>{name}</bdi>
          </Text>
          <Text as="div" truncate size={12} line={16} tone="tertiary" textAlign="start">
            {second}
          </Text>
        </div>
        {children}
      </Row>
      {below}
    </Box>
  );
}

/** The state of a result on which no action is possible. */
export function SearchPanelNote({ children }: { children: ReactNode }) {
  return (
    <Text size={12} line={16} tone="tertiary" textAlign="end" className={styles.note}>
      {children}
    </Text>
  );
}

interface SearchPanelRequestFormProps {
  /** Label of the submit button. */
  submit: string;
  isBusy: boolean;
  isValid: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The form below a result: a field and its buttons. It scrolls itself into view. */
export function SearchPanelRequestForm(props: SearchPanelRequestFormProps) {
  const { submit, isBusy, isValid, onSubmit, onCancel, children } = props;
  const t = useText();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which an effect must not return.
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <form
      ref={form}
      className={styles.question}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isValid && !isBusy) onSubmit();
      }}
    >
      {children}
      <Row gap={8} align="stretch" justify="end" marginTop={12}>
        <Button size="small" onClick={onCancel}>
          {t("app.cancel")}
        </Button>
        <Button variant="primary" size="small" type="submit" isBusy={isBusy} disabled={!isValid}>
          {submit}
        </Button>
      </Row>
    </form>
  );
}

type SearchState<Item> =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly items: readonly Item[] }
  | { readonly kind: "failed"; readonly failure: Failure };

interface ServerSearchOptions<Item> {
  /** A text in which nothing is wrong; it is searched for at once. */
  initialText?: string;
  /** Searches for a text, or returns what is wrong with it. */
  find: (text: string) => Promise<Result<readonly Item[]>> | string;
}

/** A search on the server: its field and what was found. */
type ServerSearch<Item> = ReturnType<typeof useServerSearch<Item>>;

/** The state of a dialog that searches on the server, shown by `SearchPanel`. */
export function useServerSearch<Item>({ initialText = "", find }: ServerSearchOptions<Item>) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initialText);
  const [problem, setProblem] = useState<string | null>(null);
  const [state, setState] = useState<SearchState<Item>>({ kind: initialText === "" ? "none" : "busy" });
  const latestId = useRef(0);

  const showAnswer = async (answer: Promise<Result<readonly Item[]>>) => {
    const id = ++latestId.current;
    const result = await answer;
    // Ignore the answer of an earlier search that arrives late.
    if (id !== latestId.current) return;
    setState(
      result.ok ? { kind: "found", items: result.value } : { kind: "failed", failure: result.failure },
    );
  };
  const focus = () => field.current?.focus();
  const submit = () => {
    const answer = find(text);
    const isRefused = typeof answer === "string";
    setProblem(isRefused ? answer : null);
    if (isRefused) {
      focus();
    } else {
      setState({ kind: "busy" });
      void showAnswer(answer);
    }
  };
  const findAtOnce = useEffectEvent((given: string) => {
    const answer = find(given);
    if (typeof answer !== "string") void showAnswer(answer);
  });
  useEffect(() => {
    if (initialText !== "") findAtOnce(initialText);
  }, [initialText]);

  const reset = () => {
    latestId.current += 1;
    setText("");
    setProblem(null);
    setState({ kind: "none" });
  };
  return {
    /** Ref for the field. */
    field,
    text,
    problem,
    state,
    focus,
    reset,
    /** Gets what was typed. */
    change(next: string) {
      setText(next);
      setProblem(null);
    },
    submit,
    clear() {
      reset();
      focus();
    },
  };
}
