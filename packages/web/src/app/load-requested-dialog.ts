/** Loads what knows all dialogs. Each dialog is loaded when it is shown. */
export const loadRequestedDialog = () => import("./requested-dialog.tsx");
