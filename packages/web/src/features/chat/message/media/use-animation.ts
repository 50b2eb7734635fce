import { type RefObject, useEffect, useState } from "react";
import { isAnimated } from "./animated.ts";

/**
 * The address of the original while it should be shown instead of the server's small still: it moves, it is in view, and the reader wants
 * motion. null otherwise, so that a picture out of view needs no memory for its frames.
 */
export function useAnimation(
  element: RefObject<HTMLElement | null>,
  originUrl: string | null,
): string | null {
  const [isInView, setInView] = useState(false);
  const [movingUrl, setMovingUrl] = useState<string | null>(null);
  const mayMove = originUrl !== null && /\.(gif|webp)$/i.test(originUrl);
  useEffect(() => {
    const box = element.current;
    if (!mayMove || box === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) setInView(entry.isIntersecting);
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, mayMove]);
  useEffect(() => {
    if (!isInView || originUrl === null) return;
    let isCurrent = true;
    void isAnimated(originUrl).then((moves) => {
      if (isCurrent && moves) setMovingUrl(originUrl);
    });
    return () => {
      isCurrent = false;
    };
  }, [isInView, originUrl]);
  return isInView && movingUrl === originUrl ? movingUrl : null;
}
