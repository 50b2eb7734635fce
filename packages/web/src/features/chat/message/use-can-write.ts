import { createContext, use } from "react";

const CanWrite = createContext(false);

/** Provides `useCanWrite`. */
export const CanWriteProvider = CanWrite.Provider;

/** Whether messages can be sent in the conversation around. */
export function useCanWrite(): boolean {
  return use(CanWrite);
}
