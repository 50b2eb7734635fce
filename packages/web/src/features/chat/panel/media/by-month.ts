/** Items of one month of the reader's calendar. */
export interface Month<Item> {
  /** YYYY-MM */
  readonly month: string;
  readonly items: readonly Item[];
}

/** Groups items by the month of their time, in their order. `offsetAt`: minutes east of UTC at a time (epoch ms). */
export function byMonth<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  offsetAt: (time: number) => number,
): readonly Month<Item>[] {
  const months: { month: string; items: Item[] }[] = [];
  for (const item of items) {
    const time = timeOf(item);
    const month = new Date(time + offsetAt(time) * 60_000).toISOString().slice(0, 7);
    const last = months.at(-1);
    if (last?.month === month) last.items.push(item);
    else months.push({ month, items: [item] });
  }
  return months;
}
