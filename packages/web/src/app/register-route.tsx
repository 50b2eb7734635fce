import { useState } from "react";
import { Redirect } from "wouter";
import { useClientState } from "../kit/loading/use-client.ts";
import { RegisterScreen } from "../features/register/register-screen.tsx";

/** Redirects a person who is already signed in. After a registration the screen itself navigates, once its welcome was shown. */
export function RegisterRoute() {
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  const [wasSignedIn] = useState(isSignedIn);
  return wasSignedIn ? <Redirect to="/home/chat" replace /> : <RegisterScreen />;
}
