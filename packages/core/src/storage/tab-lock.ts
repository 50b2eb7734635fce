/**
 * The name of the lock that a signed-in tab holds for as long as it lives. By it other tabs notice that its unsent messages and its calls are
 * theirs now. Tabs of other versions use the same name.
 */
export const signOfTab = (tab: string): string => `outbox.${tab}`;
