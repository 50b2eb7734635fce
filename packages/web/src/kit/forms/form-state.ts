import type { Failure } from "@parley/core/model/state";

/** A form while a person fills it in and sends it. */
export interface FormState<Values> {
  readonly values: Values;
  /** The fields whose errors are shown: those that were left, and all after a submission. */
  readonly leftFields: ReadonlySet<keyof Values>;
  readonly isSending: boolean;
  /** Why the last submission failed. */
  readonly failure: Failure | null;
}

/** What happens to a form. */
export type FormEvent<Values> =
  /** `failedField` is the field that the failure is about. */
  | {
      readonly kind: "changed";
      readonly part: Partial<Values>;
      readonly failedField: keyof Values | undefined;
    }
  | { readonly kind: "left"; readonly field: keyof Values }
  | { readonly kind: "submitted"; readonly fields: readonly (keyof Values)[]; readonly isValid: boolean }
  | { readonly kind: "answered"; readonly failure: Failure | null };

/** The form after an event. A failure is shown until the next submission, or until the field that it is about changes. */
export function stepForm<Values>(form: FormState<Values>, event: FormEvent<Values>): FormState<Values> {
  switch (event.kind) {
    case "changed": {
      const { part, failedField } = event;
      const isAnswered = failedField !== undefined && Object.hasOwn(part, failedField);
      const values = { ...form.values, ...part };
      return { ...form, values, failure: isAnswered ? null : form.failure };
    }
    case "left":
      if (form.leftFields.has(event.field)) return form;
      return { ...form, leftFields: new Set(form.leftFields).add(event.field) };
    case "submitted": {
      const leftFields = new Set(event.fields);
      return event.isValid
        ? { ...form, leftFields, isSending: true, failure: null }
        : { ...form, leftFields };
    }
    case "answered":
      return { ...form, isSending: false, failure: event.failure };
  }
}
