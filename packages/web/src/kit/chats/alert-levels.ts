/** The alert levels of a group: 0 all messages, 1 those of the owner and of admins, 2 none. */
export const ALERT_LEVELS = [0, 1, 2] as const;
