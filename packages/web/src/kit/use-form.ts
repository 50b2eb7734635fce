import { useRef, useState } from "react";
import type { FormErrors } from "@parley/core/model/forms/form-rules";

/**
 * A form with the spec's manners: a field is checked when it is left, all are when it is sent, and the first wrong one gets the
 * focus. Inputs carry their field's key as `name`.
 */
export function useForm<Values extends object>(
  initial: Values,
  check: (values: Values) => FormErrors<Values>,
) {
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<keyof Values>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const errors = check(values);

  const focus = (field: keyof Values) => {
    const control = form.current?.elements.namedItem(String(field));
    if (control instanceof HTMLElement) control.focus();
  };

  return {
    values,
    /** Goes on the `<form>`. */
    form,
    focus,
    change: (next: Partial<Values>) => setValues((now) => ({ ...now, ...next })),
    /** On blur. */
    leave: (field: keyof Values) => setLeft((now) => (now.has(field) ? now : new Set(now).add(field))),
    /** The error to show under a field: none before it was left once. */
    errorOf: (field: keyof Values) => (left.has(field) ? errors[field] : undefined),
    /** Shows every error and goes to the first one; true when there is none. `order` is the order on the screen. */
    isReady(order: readonly (keyof Values)[]): boolean {
      setLeft(new Set(order));
      const first = order.find((field) => errors[field] !== undefined);
      if (first !== undefined) focus(first);
      return first === undefined;
    },
  };
}
