import { useId } from "react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { FieldLabel, FieldNote } from "./field.tsx";
import styles from "./field.module.css";
import { Box, Row } from "./layout.tsx";

export interface TextAreaProps extends Omit<ComponentPropsWithRef<"textarea">, "className" | "id"> {
  label: string;
  /** Hides the label visually only. */
  isLabelHidden?: boolean;
  /** Shown at the end of the label's line. */
  labelEnd?: ReactNode;
  /** Says why the value is wrong; replaces the hint. */
  error?: string | null | undefined;
  hint?: string | undefined;
}

/** A field for several lines of text, with label, hint and error. */
export function TextArea({ label, isLabelHidden = false, labelEnd, error, hint, ...input }: TextAreaProps) {
  const id = useId();
  return (
    <Box shrink>
      <FieldLabel htmlFor={id} label={label} end={labelEnd} isHidden={isLabelHidden} />
      <Row gap={8} className={classNames(styles.box, error != null && styles.wrong)}>
        <textarea
          {...input}
          id={id}
          className={styles.area}
          aria-invalid={error != null || undefined}
          aria-describedby={`${id}-note`}
        />
      </Row>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </Box>
  );
}
