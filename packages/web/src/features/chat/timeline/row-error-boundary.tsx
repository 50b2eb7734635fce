import { Component } from "react";
import type { ErrorInfo, ReactNode } from "react";

interface RowErrorBoundaryProps {
  /** Shown in place of a row that cannot be drawn. */
  fallback: ReactNode;
  children: ReactNode;
}

/** One broken message says so; the rest of the conversation lives. */
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
