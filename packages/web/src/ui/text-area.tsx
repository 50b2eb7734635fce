import { useId } from "react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { FieldNote } from "./field.tsx";
import styles from "./field.module.css";
import { Box, Row, Text } from "./layout.tsx";
import own from "./text-area.module.css";

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
      <div className={isLabelHidden ? "visually-hidden" : styles.labelLine}>
        <label htmlFor={id}>{label}</label>
        {labelEnd !== undefined && <Text tone="tertiary">{labelEnd}</Text>}
      </div>
      <Row gap={8} className={classNames(styles.box, error != null && styles.wrong)}>
        <textarea
          {...input}
          id={id}
          className={own.input}
          aria-invalid={error != null || undefined}
          aria-describedby={`${id}-note`}
        />
      </Row>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </Box>
  );
}
