/** A browser with one page, driven by a program. It offers what a person has: an address bar, a mouse, a keyboard and files. */
export interface Driver {
  /** Name and version. */
  readonly name: string;
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /** The value of an expression in the page, as JSON can hold it. */
  evaluate(expression: string): Promise<unknown>;
  /** Moves the pointer to a point of the window, in CSS pixels. */
  moveTo(x: number, y: number): Promise<void>;
  /** Clicks at a point of the window. */
  clickAt(x: number, y: number): Promise<void>;
  /** The same with the right button. Absent if the driver cannot do it. */
  rightClickAt?: (x: number, y: number) => Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  /** Writes a letter with the input method for codes that GTK has built in. The last key is Enter. */
  compose(letter: string): Promise<void>;
  /** Presses a key, with Ctrl held if `hasControl`. */
  press(key: "Enter" | "Escape" | "k" | "v", hasControl?: boolean): Promise<void>;
  /** Chooses a file in the dialog that `open` opens. */
  chooseFile(open: () => Promise<void>, path: string): Promise<void>;
  /**
   * Errors that nobody caught, console errors and violations of the content security policy so far. That a server cannot be reached is none
   * of them, because the journey stops it.
   */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The size of the window: that of a small laptop. */
export const WINDOW = { width: 1_280, height: 800 } as const;
