/** Paths that are no screen of the program: all but those of `app/routes.tsx`. The server's list is in `packages/server/src/http/serve-web-client.ts`. */
export const NOT_A_SCREEN = /^(?!\/(?:(?:login|register)\/?|(?:home|admin)(?:\/[^?]*)?)?(?:\?|$))/;
