/** Props of every icon: hidden from screen readers, with strokes as strong as the text beside it (the icon set has a 24 px grid). */
export const ICON_PROPS = { size: 20, strokeWidth: 1.8, "aria-hidden": true } as const;
export const ICON_PROPS_16 = { size: 16, strokeWidth: 1.9, "aria-hidden": true } as const;
export const ICON_PROPS_14 = { size: 14, strokeWidth: 2.1, "aria-hidden": true } as const;
export const ICON_PROPS_24 = { size: 24, strokeWidth: 1.7, "aria-hidden": true } as const;
