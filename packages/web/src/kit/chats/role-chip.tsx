import { GroupRole } from "@parley/protocol/codes";
import { Chip } from "../../ui/chip.tsx";
import { useText } from "../i18n/i18n.ts";

/** "Owner" or "Admin" beside a name; nothing for ordinary members. */
export function RoleChip({ role }: { role: number }) {
  const t = useText();
  if (role === GroupRole.OWNER) return <Chip tone="warm">{t("role.owner")}</Chip>;
  if (role === GroupRole.ADMIN) return <Chip tone="accent">{t("role.admin")}</Chip>;
  return null;
}
