import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Failure, Result } from "@parley/core/model/state";

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
export type ServerSearch<Item> = ReturnType<typeof useServerSearch<Item>>;

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
