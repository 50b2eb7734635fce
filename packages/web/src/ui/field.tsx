import { useId, useState } from "react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { IconButton } from "./button.tsx";
import { AlertIcon, EyeIcon, EyeOffIcon } from "./icons.tsx";
import { useImeGuard } from "./ime.ts";
import { useUiTexts } from "./ui-texts.ts";
import { isShownAsToast } from "./toast-store.ts";
import styles from "./field.module.css";
import { Box, Row, Text } from "./layout.tsx";

export interface TextFieldProps extends Omit<ComponentPropsWithRef<"input">, "className" | "size"> {
  label: string;
  /** Hides the label visually only. */
  isLabelHidden?: boolean;
  /** Shown at the end of the label's line. */
  labelEnd?: ReactNode;
  /** Says why the value is wrong; replaces the hint. */
  error?: string | null | undefined;
  hint?: string | undefined;
  start?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
}

/** A one-line text field with its label above and its hint or error below. An Enter of an input method does not submit its form. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden = false, labelEnd, error, hint, start, end, className, id, ...input } = props;
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  const note = error ?? hint;
  const ime = useImeGuard();
  return (
    <Box shrink className={className}>
      <FieldLabel htmlFor={inputId} label={label} end={labelEnd} isHidden={isLabelHidden} />
      <Row gap={8} paddingX={12} className={classNames(styles.box, error != null && styles.wrong)}>
        {start !== undefined && <Text tone="tertiary">{start}</Text>}
        <input
          {...input}
          onKeyDown={(event) => {
            if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
            input.onKeyDown?.(event);
          }}
          onKeyUp={(event) => {
            ime.handlers.onKeyUp();
            input.onKeyUp?.(event);
          }}
          onCompositionEnd={(event) => {
            ime.handlers.onCompositionEnd();
            input.onCompositionEnd?.(event);
          }}
          id={inputId}
          className={styles.input}
          aria-invalid={error != null || undefined}
          aria-describedby={note === undefined ? input["aria-describedby"] : noteId}
        />
        {end}
      </Row>
      <FieldNote id={noteId} error={error} hint={hint} />
    </Box>
  );
}

interface FieldLabelProps {
  htmlFor: string;
  label: string;
  /** Shown at the end of the line. */
  end?: ReactNode;
  /** Hides the label visually only. */
  isHidden: boolean;
}

/** The label above a control. */
export function FieldLabel({ htmlFor, label, end, isHidden }: FieldLabelProps) {
  const className = isHidden ? "visually-hidden" : undefined;
  return (
    <Row
      gap={8}
      align="stretch"
      justify="between"
      marginBottom={4}
      size={13}
      line={20}
      tone="secondary"
      className={className}
    >
      <label htmlFor={htmlFor}>{label}</label>
      {end !== undefined && <Text tone="tertiary">{end}</Text>}
    </Row>
  );
}

/** Text below a control: the error with its icon, else the hint. Errors are announced when they appear. */
export function FieldNote({
  id,
  error,
  hint,
}: {
  id: string;
  error?: string | null | undefined;
  hint?: string | undefined;
}) {
  return (
    <div id={id} aria-live={error != null && isShownAsToast(error) ? "off" : "polite"}>
      {error != null ? (
        <Row
          as="p"
          gap={4}
          align="stretch"
          marginTop={4}
          size={12}
          line={16}
          tone="danger"
          className={styles.note}
        >
          <AlertIcon size={14} />
          <span>{error}</span>
        </Row>
      ) : (
        hint !== undefined && (
          <Text as="p" size={12} line={16} marginTop={4} tone="tertiary">
            {hint}
          </Text>
        )
      )}
    </div>
  );
}

export type PasswordFieldProps = Omit<TextFieldProps, "type" | "end">;

/** A password field with a button that shows the password. */
export function PasswordField(props: PasswordFieldProps) {
  const texts = useUiTexts();
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? "text" : "password"}
      end={
        <IconButton
          label={isShown ? texts.hidePassword : texts.showPassword}
          size={32}
          className={styles.end}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      }
    />
  );
}

export interface CheckboxProps extends Omit<
  ComponentPropsWithRef<"input">,
  "className" | "type" | "onChange" | "children"
> {
  onChange?: (isOn: boolean) => void;
  children: ReactNode;
}

/** A checkbox with its label. */
export function Checkbox({ onChange, children, ...input }: CheckboxProps) {
  return (
    <label className={styles.tick}>
      <input
        {...input}
        type="checkbox"
        className={styles.checkbox}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
