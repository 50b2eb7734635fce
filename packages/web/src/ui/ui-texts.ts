import { createContext, useContext } from "react";

/** Words that components of this folder say by themselves, in the reader's language. */
export interface UiTexts {
  readonly close: string;
  readonly showPassword: string;
  readonly hidePassword: string;
  readonly loading: string;
  readonly resizeList: string;
  readonly notifications: string;
}

const Texts = createContext<UiTexts>({
  close: "",
  showPassword: "",
  hidePassword: "",
  loading: "",
  resizeList: "",
  notifications: "",
});

export const UiTextsProvider = Texts.Provider;

export function useUiTexts(): UiTexts {
  return useContext(Texts);
}
