import { useState } from "react";
import { Redirect } from "wouter";
import { useClientState } from "../kit/use-client.ts";
import { RegisterScreen } from "../features/register/register-screen.tsx";

/** Who came here signed in goes on at once; who registers here is taken on by the screen itself, after its second of welcome. */
export function RegisterRoute() {
  const isSignedIn = useClientState((state) => state.session.kind !== "anonymous");
  const [cameSignedIn] = useState(isSignedIn);
  return cameSignedIn ? <Redirect to="/home/chat" replace /> : <RegisterScreen />;
}
