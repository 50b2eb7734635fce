import { useRef, useState } from "react";
import type { FormErrors } from "@parley/core/model/forms/form-rules";

/**
 * A form that behaves as the spec says: a field is checked when it is left, all fields are checked at submit, and the first invalid one
 * gets the focus. Inputs have the key of their field as `name`.
 */
export function useForm<Values extends object>(
  initial: Values,
  check: (values: Values) => FormErrors<Values>,
) {
  const [values, setValues] = useState(initial);
  const [leftFields, setLeftFields] = useState<ReadonlySet<keyof Values>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const errors = check(values);

  const focus = (field: keyof Values) => {
    const control = form.current?.elements.namedItem(String(field));
    if (control instanceof HTMLElement) control.focus();
  };

  return {
    values,
    /** Ref for the `<form>`. */
    form,
    focus,
    change: (next: Partial<Values>) => setValues((current) => ({ ...current, ...next })),
    /** Call it on blur of a field. */
    leave: (field: keyof Values) =>
      setLeftFields((current) => (current.has(field) ? current : new Set(current).add(field))),
    /** The error to show under a field; none before the field was left once. */
    errorOf: (field: keyof Values) => (leftFields.has(field) ? errors[field] : undefined),
    /** Shows all errors and focuses the first invalid field; true if there is none. `order` is the order on the screen. */
    isReady(order: readonly (keyof Values)[]): boolean {
      setLeftFields(new Set(order));
      const first = order.find((field) => errors[field] !== undefined);
      if (first !== undefined) focus(first);
      return first === undefined;
    },
  };
}
