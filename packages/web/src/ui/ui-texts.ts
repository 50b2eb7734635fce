import { createContext, useContext } from "react";

/** Texts that components of this folder use by themselves, in the reader's language. */
export interface UiTexts {
  readonly close: string;
  readonly showPassword: string;
  readonly hidePassword: string;
  readonly loading: string;
  /** Name of the landmark that holds an open menu. */
  readonly menu: string;
  readonly resizeList: string;
  readonly notifications: string;
}

const UiTextsContext = createContext<UiTexts>({
  close: "",
  showPassword: "",
  hidePassword: "",
  loading: "",
  menu: "",
  resizeList: "",
  notifications: "",
});

/** Provides the texts to the components of this folder. */
export const UiTextsProvider = UiTextsContext.Provider;

/** The texts for components of this folder. */
export function useUiTexts(): UiTexts {
  return useContext(UiTextsContext);
}
