import { useEffect, useEffectEvent, useState } from "react";
import { type TransferredFiles, dragDepth, filesOf, hasFiles } from "./transferred-files.ts";

/** What becomes of files that are dragged over the page. */
interface FileDrag<Zone extends string> {
  /** Whether drags are for somebody else now. */
  isOff?: () => boolean;
  zoneAt: (target: Element | null) => Zone | "none";
  drop: (dropped: TransferredFiles, zone: Zone) => void;
}

/** A drag counts as ended if nothing is heard of it for this time: some browsers do not tell when it ends elsewhere. */
const SILENCE_MS = 1_500;

/**
 * Files that are dragged over the page. Returns the zone under the drag: `none` outside all; null while no files are dragged. Drags that
 * begin in the page are left to the browser.
 */
export function useFileDrag<Zone extends string>({
  isOff,
  zoneAt,
  drop,
}: FileDrag<Zone>): Zone | "none" | null {
  const [zone, setZone] = useState<Zone | "none" | null>(null);
  const zoneOf = useEffectEvent(({ target }: DragEvent) => zoneAt(target instanceof Element ? target : null));
  const isWanted = useEffectEvent((event: DragEvent) => hasFiles(event.dataTransfer) && isOff?.() !== true);
  const handleDrop = useEffectEvent(drop);

  useEffect(() => {
    let depth = 0;
    let isFromPage = false;
    let silence = 0;
    const end = () => {
      depth = dragDepth(depth, "end");
      isFromPage = false;
      window.clearTimeout(silence);
      setZone(null);
    };
    const isForeign = (event: DragEvent) => !isFromPage && isWanted(event);

    const listeners = {
      dragstart() {
        isFromPage = true;
      },
      dragend: end,
      dragenter(event: DragEvent) {
        if (!isForeign(event)) return;
        depth = dragDepth(depth, "enter");
        setZone(zoneOf(event));
      },
      dragleave(event: DragEvent) {
        if (!isForeign(event)) return;
        depth = dragDepth(depth, "leave");
        if (depth === 0) end();
      },
      dragover(event: DragEvent) {
        if (!isForeign(event) || event.dataTransfer === null) return;
        event.preventDefault();
        const over = zoneOf(event);
        event.dataTransfer.dropEffect = over === "none" ? "none" : "copy";
        setZone(over);
        window.clearTimeout(silence);
        silence = window.setTimeout(end, SILENCE_MS);
      },
      drop(event: DragEvent) {
        const over = isForeign(event) ? zoneOf(event) : "none";
        if (over !== "none" && event.dataTransfer !== null) {
          event.preventDefault();
          handleDrop(filesOf(event.dataTransfer), over);
        }
        end();
      },
    };
    for (const [type, listener] of Object.entries(listeners)) {
      document.addEventListener(type, listener as EventListener, true);
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        document.removeEventListener(type, listener as EventListener, true);
      }
      window.clearTimeout(silence);
    };
  }, []);

  return zone;
}
