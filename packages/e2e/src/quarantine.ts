/**
 * A browser test that may pass at its second try, with the reason why it is not fixed yet. Any other test that needs a second try has
 * failed. `npm run check` fails for an entry whose test does not exist.
 */
export interface Quarantined {
  /** Below packages/e2e/tests. */
  readonly file: string;
  readonly title: string;
  readonly reason: string;
}

/** All quarantined tests. */
export const QUARANTINE: readonly Quarantined[] = [];
