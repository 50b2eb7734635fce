import { useEffect, useId, useRef } from "react";
import type { FormEvent, ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { FieldNote } from "../ui/field.tsx";
import { useImeGuard } from "../ui/ime.ts";
import { SearchBox, type SearchBoxProps } from "../ui/search-box.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useText } from "./i18n.ts";
import styles from "./search-panel.module.css";

interface SearchPanelFormProps extends SearchBoxProps {
  onFind: () => void;
  isBusy: boolean;
  /** What is wrong with the typed text. */
  problem: string | null;
}

/** The field and the button of a dialog that searches on the server. */
export function SearchPanelForm({ onFind, isBusy, problem, ...field }: SearchPanelFormProps) {
  const t = useText();
  const ime = useImeGuard();
  const noteId = useId();
  return (
    <>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onFind();
        }}
      >
        <SearchBox
          autoFocus
          aria-invalid={problem !== null || undefined}
          aria-describedby={noteId}
          {...field}
          onKeyDown={(event) => {
            // The input method uses this Enter to accept a word; do not submit the form.
            if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
          }}
          {...ime.handlers}
        />
        <Button variant="primary" type="submit" isBusy={isBusy}>
          {t("friend.find")}
        </Button>
      </form>
      <div className={styles.problem}>
        <FieldNote id={noteId} error={problem} />
      </div>
    </>
  );
}

/** The area below the form: results, a hint, or a spinner. */
export function SearchPanelResults({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <div className={styles.results} aria-busy={isBusy || undefined}>
      {isBusy ? (
        <div className={styles.hint}>
          <Spinner />
        </div>
      ) : (
        children
      )}
    </div>
  );
}

/** A hint instead of results. */
export function SearchPanelHint({ children }: { children: ReactNode }) {
  return <div className={styles.hint}>{children}</div>;
}

/** The list of results. */
export function SearchPanelList({ children }: { children: ReactNode }) {
  const t = useText();
  return (
    <ul className={styles.list} aria-label={t("friend.results")}>
      {children}
    </ul>
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
    <li className={styles.row} {...data}>
      <div className={styles.line}>
        {avatar}
        <div className={styles.words}>
          <div className={styles.name}>
            <bdi>{name}</bdi>
          </div>
          <div className={styles.second}>{second}</div>
        </div>
        {children}
      </div>
      {below}
    </li>
  );
}

/** The state of a result on which no action is possible. */
export function SearchPanelNote({ children }: { children: ReactNode }) {
  return <span className={styles.note}>{children}</span>;
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
      <div className={styles.buttons}>
        <Button size="small" onClick={onCancel}>
          {t("app.cancel")}
        </Button>
        <Button variant="primary" size="small" type="submit" isBusy={isBusy} disabled={!isValid}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
