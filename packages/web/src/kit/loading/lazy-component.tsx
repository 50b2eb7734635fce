import { Component, Suspense, lazy, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { currentText } from "../i18n/i18n.ts";
import { ChunkError, loadChunk } from "./load-chunk.ts";
import { toasts } from "../dialogs/toasts.ts";
import { useClientState } from "./use-client.ts";

interface LazyComponentProps {
  /** Shown until the component is loaded. Without `onMissing` it stays if that fails, and loading is tried again after a reconnect. */
  waiting?: ReactNode;
  /** Called when a component that the person asked for could not be loaded. A toast says so; the next request tries again. */
  onMissing?: () => void;
}

/**
 * A component that is loaded at its first use.
 * `load` must name the file: () => import("./x.tsx").then(...).
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Latest = lazyScreen(load);
  return function LazyComponent({ onMissing, waiting, ...props }: Props & LazyComponentProps) {
    const loadFailure = useLoadFailure();
    const Current = Latest;
    const giveUp = () => {
      if (Latest === Current) Latest = lazyScreen(load);
      if (onMissing === undefined) {
        loadFailure.fail();
      } else {
        toasts.long(currentText()("app.chunkFailed"));
        onMissing();
      }
    };
    if (loadFailure.hasFailed) return waiting;
    return (
      <LoadErrorBoundary onMissing={giveUp}>
        <Suspense fallback={waiting}>
          <Current {...(props as unknown as Props)} />
        </Suspense>
      </LoadErrorBoundary>
    );
  };
}

/** A lazy component that leaves failures to the error boundary of its parent. */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}

/** Remembers that a component could not be loaded, until the server can be reached again. */
function useLoadFailure() {
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const [status, setStatus] = useState<"ok" | "failed" | "failedOffline">("ok");
  if (status === "failed" && !isOnline) setStatus("failedOffline");
  if (status === "failedOffline" && isOnline) setStatus("ok");
  return { hasFailed: status !== "ok", fail: () => setStatus("failed") };
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
