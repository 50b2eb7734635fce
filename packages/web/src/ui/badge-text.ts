/** Text of a badge: 1 to 99, then `99+`; null for no badge. */
export function badgeText(count: number): string | null {
  if (count <= 0) return null;
  return count > 99 ? "99+" : String(count);
}
