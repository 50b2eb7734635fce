import { lazy } from "react";
import { Route, Switch } from "wouter";
import { TooltipLayer } from "../ui/tooltip.tsx";
import { CallHost, DialogHost, useShownChat } from "./hosts.tsx";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { useNotifications } from "./notifications.ts";
import { useUnreadBadge, WindowTitle } from "./window-title.tsx";

const loadScreens = () => import("./admin-chunk.ts").then((part) => part.loadAdminScreens());
const AdminScreen = lazy(async () => ({ default: (await loadChunk(loadScreens)).AdminScreen }));
const SetupScreen = lazy(async () => ({ default: (await loadChunk(loadScreens)).SetupScreen }));

/** The administration in place of the shell, and the page that makes the first administrator. */
export function AdminRoute() {
  return (
    <Switch>
      <Route path="/admin/setup">
        <SetupScreen />
      </Route>
      <Route>
        <Administration />
      </Route>
    </Switch>
  );
}

/** Messages and calls arrive here as well, and lead to a chat or a dialog. */
function Administration() {
  useNotifications();
  useShownChat();
  useUnreadBadge();
  return (
    <>
      <WindowTitle />
      <AdminScreen />
      <DialogHost />
      <CallHost />
      <TooltipLayer />
    </>
  );
}
