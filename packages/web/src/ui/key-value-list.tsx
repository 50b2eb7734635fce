import { useId, useRef, useState } from "react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Check, Pencil, X } from "lucide-react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { TextField } from "./field.tsx";
import { ICON_PROPS_16 } from "./icon-props.ts";
import { useImeGuard } from "./ime.ts";
import styles from "./key-value-list.module.css";
import { Row, Text } from "./layout.tsx";

/** A list of labels and values, one per line. */
export function KeyValueList({ children }: { children: ReactNode }) {
  return <dl className={styles.list}>{children}</dl>;
}

export interface KeyValueRowProps {
  label: string;
  /** Grey text, for a hint or a missing value. */
  isMuted?: boolean;
  text?: ReactNode;
  /** A control at the end of the line. As a function it gets the ids of its label and of its hint. */
  children?: ReactNode | ((ids: { readonly labelId: string; readonly hintId: string }) => ReactNode);
  /** On a small screen the control is below the text. */
  isBelow?: boolean;
}

/** One line of a `KeyValueList`. */
export function KeyValueRow({ label, isMuted = false, text, children, isBelow = false }: KeyValueRowProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={classNames(styles.row, isBelow && styles.below, text === undefined && styles.bare)}>
      <dt id={id} className={styles.label}>
        {label}
      </dt>
      <Row as="dd" gap={12} grow className={styles.value}>
        {text !== undefined && (
          <Text as="div" id={hintId} grow textAlign="start" tone={isMuted ? "tertiary" : undefined}>
            {text}
          </Text>
        )}
        {typeof children === "function" ? children({ labelId: id, hintId }) : children}
      </Row>
    </div>
  );
}

export interface EditableKeyValueRowProps {
  label: string;
  value: string;
  /** Shown while there is no value. */
  emptyText: string;
  editLabel: string;
  saveLabel: string;
  cancelLabel: string;
  /** Returns what is wrong with a text, or null if it can be saved. */
  check: (text: string) => string | null;
  /** Returns whether the text was saved. */
  onSave: (text: string) => Promise<boolean>;
}

/** A value that is edited in place: Enter saves, Esc cancels. Then the button that began it has the focus, unless it has gone elsewhere. */
export function EditableKeyValueRow(props: EditableKeyValueRowProps) {
  const { label, value, emptyText, editLabel } = props;
  const [isEditing, setEditing] = useState(false);
  const [takesFocus, setTakesFocus] = useState(false);
  const end = (hadFocus: boolean) => {
    setTakesFocus(hadFocus);
    setEditing(false);
  };
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <Row as="dd" gap={12} grow className={styles.value}>
        {isEditing ? (
          <KeyValueForm {...props} onDone={end} />
        ) : (
          <>
            <Text as="bdi" grow textAlign="start" tone={value === "" ? "tertiary" : undefined}>
              {value || emptyText}
            </Text>
            <IconButton label={editLabel} size={32} autoFocus={takesFocus} onClick={() => setEditing(true)}>
              <Pencil {...ICON_PROPS_16} />
            </IconButton>
          </>
        )}
      </Row>
    </div>
  );
}

/** `onDone` hears whether the focus was in the form, or nowhere. */
function KeyValueForm(props: EditableKeyValueRowProps & { onDone: (hadFocus: boolean) => void }) {
  const { label, value, saveLabel, cancelLabel, check, onSave, onDone } = props;
  const ime = useImeGuard();
  const [text, setText] = useState(value);
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const error = check(text.trim());
  // Without the form, editing was cancelled before the answer, and perhaps begun anew.
  const done = () => {
    const { activeElement, body } = document;
    if (form.current !== null) onDone(activeElement === body || form.current.contains(activeElement));
  };
  const save = async () => {
    if (error !== null || isSaving) return;
    setSaving(true);
    const isSaved = await onSave(text.trim());
    setSaving(false);
    if (isSaved) done();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (ime.isComposing(event)) {
      // The input method uses this Enter to accept a word; do not submit the form.
      if (event.key === "Enter") event.preventDefault();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      done();
    }
  };
  return (
    <Row
      as="form"
      ref={form}
      gap={4}
      align="start"
      grow
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        className={styles.field}
        label={label}
        isLabelHidden
        value={text}
        autoFocus
        readOnly={isSaving}
        dir="auto"
        error={error ?? undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
        {...ime.handlers}
      />
      <IconButton label={saveLabel} type="submit" size={32}>
        <Check {...ICON_PROPS_16} />
      </IconButton>
      <IconButton label={cancelLabel} size={32} onClick={done}>
        <X {...ICON_PROPS_16} />
      </IconButton>
    </Row>
  );
}
