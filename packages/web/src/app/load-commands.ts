/** Loads the commands of the app. The first screens know only which shortcuts are theirs. */
export const loadCommands = () => import("./commands.ts");
