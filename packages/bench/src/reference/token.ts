import { createHmac, timingSafeEqual } from "node:crypto";

/** Who a token of the reference servers speaks for. */
export interface Claims {
  sub: number;
  name: string;
  sid: string;
  terminal: number;
  /** Seconds since 1970. */
  exp: number;
}

const HEADER = base64({ alg: "HS256", typ: "JWT" });

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function sign(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

/** An HS256 token that lasts an hour. */
export function makeToken(claims: Omit<Claims, "exp">, secret: string): string {
  const text = `${HEADER}.${base64({ ...claims, exp: Math.floor(Date.now() / 1000) + 3_600 })}`;
  return `${text}.${sign(text, secret).toString("base64url")}`;
}

function verify(token: string, secret: string): Claims | undefined {
  const [header, payload, signature] = token.split(".");
  if (header !== HEADER || payload === undefined || signature === undefined) return undefined;
  const expected = sign(`${header}.${payload}`, secret);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
}

/** Checks each token's signature once and its expiry always. */
export function tokenChecker(secret: string): (token: string) => Claims | undefined {
  const known = new Map<string, Claims>();
  return (token) => {
    let claims = known.get(token);
    if (claims === undefined) {
      claims = verify(token, secret);
      if (claims === undefined) return undefined;
      known.set(token, claims);
    }
    return claims.exp * 1_000 > Date.now() ? claims : undefined;
  };
}
