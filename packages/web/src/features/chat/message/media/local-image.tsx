import { useCallback } from "react";

/** A picture of this device. It is there at the first paint, and its object URL is revoked when it goes. */
export function LocalImage({ blob, className }: { blob: Blob; className?: string | undefined }) {
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) return;
      const url = URL.createObjectURL(blob);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [blob],
  );
  return <img ref={show} className={className} alt="" decoding="sync" data-local />;
}
