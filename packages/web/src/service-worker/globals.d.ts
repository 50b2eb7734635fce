/** The files of the build, which `service-worker.config.ts` inserts. */
declare const __SHELL_FILES__: { url: string; revision: string | null }[];
