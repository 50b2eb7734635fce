import { useId } from "react";
import type { ComponentPropsWithRef } from "react";
import { classNames } from "./class-names.ts";
import { ChevronDownIcon } from "./icons.tsx";
import { FieldLabel } from "./field.tsx";
import styles from "./field.module.css";
import { Box, Row } from "./layout.tsx";

export interface SelectFieldProps extends Omit<
  ComponentPropsWithRef<"select">,
  "className" | "id" | "onChange" | "children"
> {
  label: string;
  /** Hides the label visually only. */
  isLabelHidden?: boolean;
  value: string;
  options: readonly { readonly value: string; readonly text: string }[];
  /** Has a red border; what is wrong is said elsewhere. */
  isWrong?: boolean;
  onChange: (value: string) => void;
}

/** A native select in the box of a text field. */
export function SelectField(props: SelectFieldProps) {
  const { label, isLabelHidden = false, options, isWrong = false, onChange, ...select } = props;
  const id = useId();
  return (
    <Box shrink>
      <FieldLabel htmlFor={id} label={label} isHidden={isLabelHidden} />
      <Row gap={8} className={classNames(styles.box, styles.selectBox, isWrong && styles.wrong)}>
        <select
          {...select}
          id={id}
          className={styles.select}
          aria-invalid={isWrong || undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <span className={styles.arrow}>
          <ChevronDownIcon size={16} />
        </span>
      </Row>
    </Box>
  );
}
