/**
 * Browser tests that may pass at their second try, each with the reason why nobody has mended it yet. Any other one that needs a second try
 * has failed. `npm run check` refuses an entry whose test is not there.
 */
export interface Quarantined {
  /** Below packages/e2e/tests. */
  readonly file: string;
  readonly title: string;
  readonly reason: string;
}

export const QUARANTINE: readonly Quarantined[] = [];
