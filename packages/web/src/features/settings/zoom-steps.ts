/** Percents that the settings offer. The keys of the window may lead to others. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];

/** The percents to choose from, with the current one among them. */
export function zoomSteps(current: number): readonly number[] {
  return [...new Set([...STEPS, current])].toSorted((a, b) => a - b);
}
