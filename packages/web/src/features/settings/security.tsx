import { Devices } from "./devices.tsx";
import { PasswordForm } from "./password-form.tsx";

/** Security settings: devices and password. */
export function Security() {
  return (
    <>
      <Devices />
      <PasswordForm />
    </>
  );
}
