/** The files of the build, which `service-worker.config.ts` inserts. */
declare const __SHELL_FILES__: { url: string; revision: string | null }[];
/** The texts of notifications by language and key, which it inserts too. */
declare const __PUSH_TEXTS__: Readonly<Record<string, Readonly<Record<string, string>>>>;
