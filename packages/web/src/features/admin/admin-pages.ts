import {
  Flag,
  Gauge,
  MessagesSquare,
  Megaphone,
  ScrollText,
  SlidersHorizontal,
  Ticket,
  UsersRound,
} from "lucide-react";

/** The pages of the administration, by their paths below `/admin`, in the order of the navigation. */
export const ADMIN_PAGES = [
  { path: "overview", Icon: Gauge },
  { path: "people", Icon: UsersRound },
  { path: "groups", Icon: MessagesSquare },
  { path: "invites", Icon: Ticket },
  { path: "notices", Icon: Megaphone },
  { path: "reports", Icon: Flag },
  { path: "settings", Icon: SlidersHorizontal },
  { path: "audit", Icon: ScrollText },
] as const;

/** The path of a page below `/admin`; also the last part of the key of its name. */
export type AdminPagePath = (typeof ADMIN_PAGES)[number]["path"];
