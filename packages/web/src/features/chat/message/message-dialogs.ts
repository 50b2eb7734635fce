/** The dialogs of message actions, in one file that is loaded when the first of them is opened. */
export { DeleteDialog } from "./delete-dialog.tsx";
export { ForwardDialog } from "./forward-dialog.tsx";
export { ReadersDialog } from "./readers-dialog.tsx";
export { RecallDialog } from "./recall-dialog.tsx";
