import { useReducer, useRef } from "react";
import type { ChangeEvent } from "react";
import type { FormErrors } from "@parley/core/model/forms/form-rules";
import type { Failure, Result } from "@parley/core/model/state";
import { failureText } from "../i18n/failure-text.ts";
import { stepForm, type FormState } from "./form-state.ts";
import { useText } from "../i18n/i18n.ts";

/** The fields that hold a text. */
type TextFieldOf<Values> = {
  [Field in keyof Values]: Values[Field] extends string ? Field : never;
}[keyof Values] &
  string;

interface FormOptions<Values> {
  initial: Values;
  /** The fields that have rules, in their order on the screen. */
  order: readonly (keyof Values)[];
  check: (values: Values) => FormErrors<Values>;
  /** The visible field that a failure is about. */
  failureField?: (failure: Failure) => keyof Values | undefined;
}

/**
 * Acts once the press that goes on has clicked. What a press that moves the focus would show at once could push the pressed button or link
 * away from the pointer, and then nothing is clicked.
 */
function afterPress(act: () => void): void {
  if (document.querySelector(":is(a, button, label):active") === null) return act();
  const ended = new AbortController();
  const handleEnd = () => {
    ended.abort();
    setTimeout(act);
  };
  // The drag of a link ends without a release.
  for (const type of ["mouseup", "dragend"]) addEventListener(type, handleEnd, { signal: ended.signal });
}

/**
 * A form that behaves as the spec says: a field is checked when it is left, all fields are checked at submit, and the first invalid one
 * gets the focus. Inputs have the key of their field as `name`.
 */
export function useForm<Values extends object>(options: FormOptions<Values>) {
  const { initial, order, check, failureField } = options;
  const t = useText();
  const [state, dispatch] = useReducer(stepForm<Values>, {
    values: initial,
    leftFields: new Set(),
    isSending: false,
    failure: null,
  } satisfies FormState<Values>);
  const { values, leftFields, isSending, failure } = state;
  const form = useRef<HTMLFormElement>(null);
  const errors = check(values);
  const failedField = failure === null ? undefined : failureField?.(failure);

  const focus = (field: keyof Values) => {
    const control = form.current?.elements.namedItem(String(field));
    if (control instanceof HTMLElement) control.focus();
  };
  const change = (part: Partial<Values>) => dispatch({ kind: "changed", part, failedField });
  const leave = (field: keyof Values) => afterPress(() => dispatch({ kind: "left", field }));
  const errorOf = (field: keyof Values): string | null => {
    const error = leftFields.has(field) ? errors[field] : undefined;
    if (error !== undefined) return t(error);
    return failure !== null && failedField === field ? failureText(failure, t) : null;
  };

  return {
    values,
    /** Ref for the `<form>`. */
    form,
    isSending,
    focus,
    change,
    /** Call it on blur of a field. */
    leave,
    /** The error to show under a field; none of its own before it was left once. */
    errorOf,
    /** Why the last submission failed, if this is about no visible field. */
    problem: failure !== null && failedField === undefined ? failureText(failure, t) : null,
    /** What all text fields have in common. */
    textFieldProps: (name: TextFieldOf<Values>) => ({
      name,
      value: String(values[name]),
      error: errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        change({ [name]: event.currentTarget.value } as Partial<Values>),
      onBlur: () => leave(name),
    }),
    /**
     * Shows all errors and focuses the first invalid field; if there is none, sends the form. Returns the answer, or null if nothing was sent.
     */
    async send<T>(call: () => Promise<Result<T> | null>): Promise<Result<T> | null> {
      if (isSending) return null;
      const invalid = order.find((field) => errors[field] !== undefined);
      dispatch({ kind: "submitted", fields: order, isValid: invalid === undefined });
      if (invalid !== undefined) {
        focus(invalid);
        return null;
      }
      const result = await call();
      dispatch({ kind: "answered", failure: result?.ok === false ? result.failure : null });
      return result;
    },
  };
}
