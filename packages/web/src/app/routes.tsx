import { Suspense, lazy } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useClientState } from "../kit/use-client.ts";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { Booting } from "./booting.tsx";
import { loadChunk } from "./load-chunk.ts";

const Home = lazy(() => loadChunk(() => import("./home.tsx").then((part) => ({ default: part.Home }))));
const Register = lazy(() => loadChunk(() => import("./register-route.tsx").then((part) => ({ default: part.RegisterRoute }))));

/**
 * The routes of spec §2 with the guards of protocol §12: who is signed in goes on to the chats, who is not to the login screen. While a
 * session is still being looked for nothing is decided.
 */
export function Routes({ isStarted }: { isStarted: boolean }) {
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  if (!isStarted && !isSignedIn) return <Booting />;
  return (
    <Suspense fallback={<Booting />}>
      <Switch>
        <Route path="/login">{isSignedIn ? <Redirect to="/home/chat" replace /> : <LoginScreen />}</Route>
        <Route path="/register">
          <Register />
        </Route>
        <Route path="/home/*?">{isSignedIn ? <Home /> : <Redirect to="/login" replace />}</Route>
        <Route>
          <Redirect to="/login" replace />
        </Route>
      </Switch>
    </Suspense>
  );
}
