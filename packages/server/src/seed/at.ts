/** What stands at this place of the plan. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`the plan names person ${index}, who is not in it`);
  return value;
}
