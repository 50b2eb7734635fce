/** The choices for how many bytes of messages a browser keeps (interface §20): 100 MB, 200 MB, 1 GB. */
export const DISK_LIMITS = [104_857_600, 209_715_200, 1_073_741_824] as const;
export type DiskLimit = (typeof DISK_LIMITS)[number];
export const DEFAULT_DISK_LIMIT: DiskLimit = 209_715_200;
