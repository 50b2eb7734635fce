import { lazy, type ReactNode, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { create } from "zustand";
import { LoginScreen } from "../features/login/login-screen.tsx";
import { useText } from "../kit/i18n/i18n.ts";
import { loadChunk } from "../kit/loading/load-chunk.ts";
import { useClientState } from "../kit/loading/use-client.ts";
import { Row } from "../ui/layout.tsx";
import { Logo } from "../ui/logo.tsx";
import styles from "./routes.module.css";

/**
 * The shell, once it is loaded. It is not behind `lazy`: React would show it 300 ms after the screen before, so that screens do not follow
 * each other too fast.
 */
const useShell = create<{ readonly shell: ReactNode }>(() => ({ shell: <Booting /> }));

/** Loads the shell, the signed-in client and the local database. */
export async function loadSignedIn() {
  const part = await import("./shell-chunk.ts");
  const { Shell } = part;
  useShell.setState({ shell: <Shell /> });
  return part;
}

const SCREEN_MODULES = {
  register: () => import("./register-route.tsx"),
  shell: loadSignedIn,
} as const;

// Loaded lazily, because most people never see the dialog that tells why a session ended.
const SessionEnd = lazy(() =>
  loadChunk(() => import("./session-end.tsx").then((part) => ({ default: part.SessionEnd }))),
);

const Register = lazy(() =>
  loadChunk(() => SCREEN_MODULES.register().then((part) => ({ default: part.RegisterRoute }))),
);

const Admin = lazy(() =>
  loadChunk(() => import("./admin-route.tsx").then((part) => ({ default: part.AdminRoute }))),
);

/** Starts to load the screen that a path will most likely show, while the language is still being loaded. */
export function preloadScreen(path: string): void {
  const screen = path.startsWith("/home") ? "shell" : path === "/register" ? "register" : null;
  // A failure shows when the screen is rendered.
  if (screen !== null) SCREEN_MODULES[screen]().catch(() => undefined);
}

/**
 * The routes of spec §2 with the guards of protocol §12: a signed-in person is redirected to the chats, anybody else to the login screen.
 * Until it is known whether there is a session, nothing is decided. A redirect acts when it is mounted; the keys make React mount each one.
 */
export function Routes({ isStarted }: { isStarted: boolean }) {
  const end = useClientState((state) => (state.session.kind === "anonymous" ? state.session.ended : null));
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  const shell = useShell((state) => state.shell);
  if (!isStarted && !isSignedIn) return <Booting />;
  return (
    <Suspense fallback={<Booting />}>
      <Switch>
        <Route path="/login">
          {isSignedIn ? <Redirect key="in" to="/home/chat" replace /> : <LoginScreen />}
        </Route>
        <Route path="/register">
          <Register />
        </Route>
        <Route path="/home/*?">{isSignedIn ? shell : <Redirect key="out" to="/login" replace />}</Route>
        <Route path="/admin/*?">
          {isSignedIn || location.pathname === "/admin/setup" ? (
            <Admin />
          ) : (
            <Redirect key="guest" to="/login" replace />
          )}
        </Route>
        <Route>
          <Redirect key="root" to="/login" replace />
        </Route>
      </Switch>
      <Suspense>{end !== null && <SessionEnd end={end} />}</Suspense>
    </Suspense>
  );
}

/** Shown while it is not known what to show. The logo fades in with a delay, so that a fast start never shows it. */
function Booting() {
  const t = useText();
  return (
    <Row justify="center" className={styles.booting} aria-busy="true">
      <Logo size={56} />
      <output className="visually-hidden">{t("app.loading")}</output>
    </Row>
  );
}
