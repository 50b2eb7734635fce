/** Paths that are never a screen of the program. The server's list is in `packages/server/src/http/serve-web-client.ts`. */
export const NOT_A_SCREEN =
  /^\/(api|im|files|assets|emoticons|healthz|readyz|service-worker\.js|third-party-\w+\.txt)(\/|$|\?)/;
