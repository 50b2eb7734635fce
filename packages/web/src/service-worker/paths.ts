/** Paths that are no screen of the program: all but those of `app/routes.tsx`. */
export const NOT_A_SCREEN = /^(?!\/(?:(?:login|register)\/?|(?:home|admin)(?:\/[^?]*)?)?(?:\?|$))/;
