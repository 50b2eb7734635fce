/** When a group alerts: 0 all messages, 1 those of the owner and of admins, 2 none. */
export const REMINDS = [0, 1, 2] as const;
