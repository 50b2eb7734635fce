import { Component, Suspense, lazy } from "react";
import type { ComponentType, ReactNode } from "react";
import { currentText, loadTexts } from "./i18n.ts";
import { ChunkError, loadChunk } from "./load-chunk.ts";
import { toasts } from "./toasts.ts";

const loadLateTexts = () => loadTexts("late");

interface LazyPartProps {
  onMissing: () => void;
  waiting?: ReactNode;
}

/**
 * A part of a screen that comes when it is first wanted, with the texts that only such parts say. One that does not come is told of,
 * `onMissing` takes its place back, and the next wish asks for it again. `load` must name the file: () => import("./x.tsx").then(...).
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part = lazyScreen(load);
  /** `waiting` stands in until it has come. */
  return function LazyPart({ onMissing, waiting, ...props }: Props & LazyPartProps) {
    const giveUp = () => {
      Part = lazyScreen(load);
      onMissing();
    };
    return (
      <PartBoundary onMissing={giveUp}>
        <Suspense fallback={waiting}>
          <Part {...(props as unknown as Props)} />
        </Suspense>
      </PartBoundary>
    );
  };
}

/** The same where whoever shows it has a place for its failure. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [part] = await Promise.all([loadChunk(load), loadChunk(loadLateTexts)]);
    return { default: part };
  });
}

class PartBoundary extends Component<{ onMissing: () => void; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error) {
    if (!(error instanceof ChunkError)) reportError(error);
    toasts.long(currentText()("app.chunkFailed"));
    this.props.onMissing();
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
