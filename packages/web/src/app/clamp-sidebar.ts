import { SIDEBAR_DEFAULT_PX, SIDEBAR_MAX_PX, SIDEBAR_MIN_PX } from "@parley/protocol/limits";

export interface SidebarLimits {
  readonly min: number;
  readonly max: number;
}

/** Widest and narrowest list (spec §9): 200 to 400, at most 180 below a viewport of 700 px and 150 below 550 px. */
export function sidebarLimits(viewport: number): SidebarLimits {
  const cap = viewport < 550 ? 150 : viewport < 700 ? 180 : SIDEBAR_MAX_PX;
  return { min: Math.min(SIDEBAR_MIN_PX, cap), max: cap };
}

/** The width a list gets of the one wished for; the default when that is no number. */
export function clampSidebar(width: number, viewport: number): number {
  const { min, max } = sidebarLimits(viewport);
  const wished = Number.isFinite(width) ? Math.round(width) : SIDEBAR_DEFAULT_PX;
  return Math.min(max, Math.max(min, wished));
}
