import { createContext, use } from "react";

const CanWrite = createContext(false);

export const CanWriteProvider = CanWrite.Provider;

/** Whether something can be sent in the conversation around. */
export function useCanWrite(): boolean {
  return use(CanWrite);
}
