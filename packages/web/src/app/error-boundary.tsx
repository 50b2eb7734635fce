import { Component } from "react";
import type { ErrorInfo, ReactNode } from "react";
import type { Log } from "@parley/core/runtime/ports";
import { useText } from "../kit/i18n.ts";
import { Button } from "../ui/button.tsx";
import styles from "./error-boundary.module.css";
import { ChunkError } from "./load-chunk.ts";

interface ErrorBoundaryProps {
  log?: Log;
  children: ReactNode;
}

/** Keeps a broken part from taking the rest with it: says so, and offers a reload. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.log?.error("a screen crashed", { error, where: info.componentStack });
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Crashed error={this.state.error} />;
  }
}

function Crashed({ error }: { error: unknown }) {
  const t = useText();
  const isChunk = error instanceof ChunkError;
  return (
    <div className={styles.crashed} role="alert">
      <p className={styles.text}>{t(isChunk ? "app.chunkFailed" : "app.crashed")}</p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t("app.reload")}
      </Button>
    </div>
  );
}
