/** Props every icon of the set gets: 20 px, 1.5 px lines, silent for screen readers. */
export const ICON = { size: 20, strokeWidth: 1.5, "aria-hidden": true } as const;
export const ICON_16 = { size: 16, strokeWidth: 1.6, "aria-hidden": true } as const;
export const ICON_14 = { size: 14, strokeWidth: 1.7, "aria-hidden": true } as const;
export const ICON_24 = { size: 24, strokeWidth: 1.5, "aria-hidden": true } as const;
