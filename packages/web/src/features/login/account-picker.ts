/** The list of remembered accounts below the field. */
export interface AccountPicker {
  readonly isOpen: boolean;
  /** Index of the account that the arrow keys have reached, -1 for none. */
  readonly active: number;
}

export const CLOSED_PICKER: AccountPicker = { isOpen: false, active: -1 };

/** What a key in the field does: changes the list, or picks or forgets its active account; null leaves the key to the browser. */
export type PickerKeyEffect = AccountPicker | "pick" | "forget" | null;

/** The effect of a key in the field of `count` remembered accounts. */
export function pickerKeyEffect(
  { isOpen, active }: AccountPicker,
  key: string,
  count: number,
): PickerKeyEffect {
  if (count === 0) return null;
  if (key === "ArrowDown" || key === "ArrowUp") {
    // From none, the arrow up leads to the last one.
    const next = key === "ArrowDown" ? active + 1 : (active < 0 ? count : active) - 1;
    return { isOpen: true, active: (next + count) % count };
  }
  if (!isOpen) return null;
  if (key === "Escape") return CLOSED_PICKER;
  if (active < 0 || active >= count) return null;
  return key === "Enter" ? "pick" : key === "Delete" ? "forget" : null;
}
