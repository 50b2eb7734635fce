import { useEffect } from "react";

/** Keeps the screen on. The browser gives the lock up whenever the page is hidden, so it is taken again when the page is seen. */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Navigator>;
    if (!isOn || wakeLock === undefined) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const isHeld = () => lock !== null && !lock.released;
    const take = async () => {
      if (document.visibilityState !== "visible" || isHeld()) return;
      try {
        const taken = await wakeLock.request("screen");
        // Another lock may have been taken since.
        if (isOver || isHeld()) await taken.release();
        else lock = taken;
      } catch {
        // Refused, for example because the battery is low: then the screen goes off as always.
      }
    };
    const retake = () => void take();
    void take();
    document.addEventListener("visibilitychange", retake);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", retake);
      void lock?.release();
    };
  }, [isOn]);
}
