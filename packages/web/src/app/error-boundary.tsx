import { Component } from "react";
import type { ErrorInfo, ReactNode } from "react";
import type { Log } from "@parley/core/ports";
import { useText } from "../kit/i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Stack } from "../ui/layout.tsx";
import styles from "./error-boundary.module.css";
import { ChunkError } from "../kit/loading/load-chunk.ts";

interface ErrorBoundaryProps {
  log?: Log;
  /** Shown instead of the error card, for parts that are not a screen. */
  instead?: ReactNode;
  children: ReactNode;
}

/** Keeps an error in a part of the screen from breaking the rest: shows a message and offers a reload. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.log?.error("a screen crashed", { error, where: info.componentStack });
  }

  override render(): ReactNode {
    const { children, instead } = this.props;
    if (this.state.error === null) return children;
    return instead === undefined ? <Crashed error={this.state.error} /> : instead;
  }
}

function Crashed({ error }: { error: unknown }) {
  const t = useText();
  const isChunkError = error instanceof ChunkError;
  return (
    <Stack align="center" justify="center" gap={16} className={styles.crashed} role="alert">
      <p className={styles.text}>{t(isChunkError ? "app.chunkFailed" : "app.crashed")}</p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t("app.reload")}
      </Button>
    </Stack>
  );
}
