import { lazyComponent } from "../kit/lazy-component.tsx";
import { closeDialog, useDialogRequest } from "../kit/open-dialog.ts";
import { loadRequestedDialog } from "./load-requested-dialog.ts";

const RequestedDialog = lazyComponent(() => loadRequestedDialog().then((part) => part.RequestedDialog));

/** Shows the dialog that a feature requested. If it cannot be loaded, a toast says so, and the screen behind it keeps working. */
export function DialogHost() {
  const request = useDialogRequest();
  return request === null ? null : <RequestedDialog request={request} onMissing={closeDialog} />;
}
