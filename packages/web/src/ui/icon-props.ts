/** Props of every icon: silent for screen readers, and lines as strong as the text beside them (the set is drawn on 24 px). */
export const ICON_PROPS = { size: 20, strokeWidth: 1.8, "aria-hidden": true } as const;
export const ICON_PROPS_16 = { size: 16, strokeWidth: 1.9, "aria-hidden": true } as const;
export const ICON_PROPS_14 = { size: 14, strokeWidth: 2.1, "aria-hidden": true } as const;
export const ICON_PROPS_24 = { size: 24, strokeWidth: 1.7, "aria-hidden": true } as const;
