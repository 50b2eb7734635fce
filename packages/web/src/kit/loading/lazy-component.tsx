import { Component, Suspense, lazy, useState, useEffect } from "react";
import type { ComponentType, ReactNode } from "react";
import { create } from "zustand";
import { currentText } from "../i18n/i18n.ts";
import { ChunkError, loadChunk } from "./load-chunk.ts";
import { toasts } from "../dialogs/toasts.ts";
import { useClientState } from "./use-client.ts";

interface LazyComponentProps {
  /** Shown until the component is loaded. */
  waiting?: ReactNode;
  /** Called when a component that the person asked for could not be loaded. A toast says so; the next request tries again. */
  onMissing?: () => void;
  /** Shown when loading failed and `onMissing` is not given; without it `waiting` stays. Loading is tried again after a reconnect. */
  missing?: ComponentType<{ onRetry: () => void }>;
}

/**
 * A component that is loaded at its first use.
 * `load` must name the file: () => import("./x.tsx").then(...).
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Latest = lazyScreen(load);
  return function LazyComponent({
    onMissing,
    waiting,
    missing: Missing,
    ...props
  }: Props & LazyComponentProps) {
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
    if (loadFailure.hasFailed)
      return Missing === undefined ? waiting : <Missing onRetry={loadFailure.reset} />;
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
  return { hasFailed: status !== "ok", fail: () => setStatus("failed"), reset: () => setStatus("ok") };
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

/**
 * Makes a hook that returns a lazily loaded value, and null until it is loaded. Loading starts after the paint when the hook is first called
 * with `isWanted`; after a failure the next such call tries again. `load` must name the file.
 */
export function lazyHook<Value>(load: () => Promise<Value>): (isWanted: boolean) => Value | null {
  const useStore = create<{ readonly value: Value | null }>(() => ({ value: null }));
  let isRequested = false;

  const request = async () => {
    if (isRequested) return;
    isRequested = true;
    try {
      useStore.setState({ value: await loadChunk(load) });
    } catch (error) {
      isRequested = false;
      if (!(error instanceof ChunkError)) reportError(error);
    }
  };
  return function useLazyValue(isWanted) {
    const value = useStore((state) => state.value);
    const isMissing = isWanted && value === null;
    useEffect(() => {
      if (!isMissing) return;
      // A frame's callback runs before that frame is painted, so the callback of the next frame runs after the paint.
      let frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => void request());
      });
      return () => cancelAnimationFrame(frame);
    }, [isMissing]);
    return value;
  };
}
