/** An administrator's command cannot be carried out, for a reason that one sentence tells. */
export class AdminError extends Error {}
