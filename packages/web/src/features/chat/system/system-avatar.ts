/** Decides the colour of the system chat's sign: the grey one. */
export const SYSTEM_AVATAR = 3;
