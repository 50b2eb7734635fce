/** The width of the dialog in px (spec §9). */
export const BROADCAST_WIDTH_PX = 750;
