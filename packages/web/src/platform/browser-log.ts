import type { KeyValue, Log } from "@parley/core/ports";

/** To the browser's console. `debug` speaks only where somebody has set `parley.debug` in this browser. */
export function browserLog(local: KeyValue): Log {
  const isDebugging = local.get("parley.debug") !== null;
  /* oxlint-disable no-console -- the one place that writes there */
  return {
    debug: isDebugging ? (text, details = {}) => console.debug(text, details) : () => undefined,
    warn: (text, facts = {}) => console.warn(text, facts),
    error: (text, facts = {}) => console.error(text, facts),
  };
}
