/** What a test of the sound found: it played, or why it did not. */
export type SoundTest = "played" | "unsupported" | "blocked" | "notLoaded";

/** How this page sounds and notifies, for the tests in the settings. */
export interface AlertTests {
  playSound(): Promise<SoundTest>;
  /** Call it only with the permission to show notifications. False: the browser refused or failed. */
  showNotification(title: string, body: string): Promise<boolean>;
}

let current: AlertTests | null = null;

/** Sets what the tests use. Call it once, before the settings can be opened. */
export function setAlertTests(tests: AlertTests): void {
  current = tests;
}

/** Plays the sound of a new message, also if sounds are off. */
export async function testSound(): Promise<SoundTest> {
  return (await current?.playSound()) ?? "unsupported";
}

/** Shows a sample notification, also if they are off. */
export async function testNotification(title: string, body: string): Promise<boolean> {
  return (await current?.showNotification(title, body)) ?? false;
}
