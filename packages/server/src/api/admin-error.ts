/** An administrator's command that cannot be carried out. The message is one sentence that says why. */
export class AdminError extends Error {}
