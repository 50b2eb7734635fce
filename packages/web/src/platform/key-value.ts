import type { KeyValue, StoragePort } from "@parley/core/ports";

/**
 * localStorage or sessionStorage, where the browser grants it; what it refuses (blocked site data, a full quota) lives as long as
 * the page.
 */
export function guardedKeyValue(area: () => Storage): KeyValue {
  const memory = new Map<string, string>();
  const attempt = <Value>(run: (storage: Storage) => Value, otherwise: Value): Value => {
    try {
      return run(area());
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    set(key, value) {
      const isKept = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (isKept) memory.delete(key);
      else memory.set(key, value);
    },
    remove(key) {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key), undefined);
    },
  };
}

/** A clear is told to all documents but the one that cleared. */
export const onCleared: StoragePort["onCleared"] = (listener) => {
  const heard = ({ key, storageArea }: StorageEvent) => {
    if (key === null && storageArea === localStorage) listener();
  };
  addEventListener("storage", heard);
  return () => removeEventListener("storage", heard);
};
