import { Component, Suspense, lazy, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { currentText, loadTexts } from "./i18n.ts";
import { ChunkError, loadChunk } from "./load-chunk.ts";
import { toasts } from "./toasts.ts";
import { useClientState } from "./use-client.ts";

const loadLazyTexts = () => loadTexts("lazy");

interface LazyComponentProps {
  /** Stands in until the part has come. */
  waiting?: ReactNode;
  /** Takes back the wish of a person for a part that did not come, of which that person is told; the next wish asks for it again. */
  onMissing?: () => void;
  /** In place of a part that nobody wished for and that did not come; else what waited stays. Asked for again with the next network. */
  missing?: ComponentType<{ onRetry: () => void }>;
}

/**
 * A part of a screen that comes when it is first wanted, with the texts that only such parts say.
 * `load` must name the file: () => import("./x.tsx").then(...).
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part = lazyScreen(load);
  return function LazyPart({ onMissing, waiting, missing: Missing, ...props }: Props & LazyComponentProps) {
    const loadFailure = useLoadFailure();
    const Wanted = Part;
    const giveUp = () => {
      if (Part === Wanted) Part = lazyScreen(load);
      if (onMissing === undefined) {
        loadFailure.set();
      } else {
        toasts.long(currentText()("app.chunkFailed"));
        onMissing();
      }
    };
    if (loadFailure.is) return Missing === undefined ? waiting : <Missing onRetry={loadFailure.reset} />;
    return (
      <LoadErrorBoundary onMissing={giveUp}>
        <Suspense fallback={waiting}>
          <Wanted {...(props as unknown as Props)} />
        </Suspense>
      </LoadErrorBoundary>
    );
  };
}

/** The same where whoever shows it has a place for its failure. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [part] = await Promise.all([loadChunk(load), loadChunk(loadLazyTexts)]);
    return { default: part };
  });
}

/** Whether a part could not be had, until the server can be reached again. */
function useLoadFailure() {
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const [state, setState] = useState<"here" | "gone" | "goneOffline">("here");
  if (state === "gone" && !isOnline) setState("goneOffline");
  if (state === "goneOffline" && isOnline) setState("here");
  return { is: state !== "here", set: () => setState("gone"), reset: () => setState("here") };
}

class LoadErrorBoundary extends Component<
  { onMissing: () => void; children: ReactNode },
  { isBroken: boolean }
> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error) {
    if (!(error instanceof ChunkError)) reportError(error);
    this.props.onMissing();
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
