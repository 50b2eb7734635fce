declare module "*?lingui" {
  import type { Messages } from "@lingui/core";
  export const messages: Messages;
}

/** Of package.json, put in by the build. */
declare const __APP_VERSION__: string;
