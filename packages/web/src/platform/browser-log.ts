import type { KeyValue, Log } from "@parley/core/ports";

/** Logs to the browser's console; `debug` only if `parley.debug` is set in this browser's storage. */
export function browserLog(local: KeyValue): Log {
  const isDebugging = local.get("parley.debug") !== null;
  /* oxlint-disable no-console -- the only place that writes to the console */
  return {
    debug: isDebugging ? (text, details = {}) => console.debug(text, details) : () => undefined,
    warn: (text, details = {}) => console.warn(text, details),
    error: (text, details = {}) => console.error(text, details),
  };
}
