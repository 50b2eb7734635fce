/** Returns the entry of a person by their index in the plan. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`the plan refers to person ${index}, who is not in it`);
  return value;
}
