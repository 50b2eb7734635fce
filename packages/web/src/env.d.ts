declare module "*?lingui" {
  /** The compiled messages, in the form that `kit/i18n/format-text.ts` reads. */
  export const messages: Readonly<Record<string, unknown>>;
}

/** The version in package.json, which the build inserts. */
declare const __APP_VERSION__: string;
