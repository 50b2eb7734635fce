declare module "*?lingui" {
  /** As the build compiled them; `kit/format-text.ts` knows their form. */
  export const messages: Readonly<Record<string, unknown>>;
}

/** Of package.json, put in by the build. */
declare const __APP_VERSION__: string;
