import { Component } from "react";
import type { ErrorInfo, ReactNode } from "react";

interface RowErrorBoundaryProps {
  /** Shown instead of a row that failed to render. */
  fallback: ReactNode;
  children: ReactNode;
}

/** If a message fails to render, only its row shows an error. */
export class RowErrorBoundary extends Component<RowErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: Error, _info: ErrorInfo) {
    reportError(error);
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
