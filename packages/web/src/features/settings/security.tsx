import { Devices } from "./devices.tsx";
import { PasswordForm } from "./password-form.tsx";

/** Where one is signed in, and by what password. */
export function Security() {
  return (
    <>
      <Devices />
      <PasswordForm />
    </>
  );
}
