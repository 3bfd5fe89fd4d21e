import { loginUserSchema, type LoginUser } from '#contract/users';
import { z } from 'zod';

const credentialSchema = z.object({ credential: z.string() });

/** A credential of the stack's identity provider; `claims` replace its claims. */
export async function credential(
  origin: string,
  email: string,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const answer = await fetch(`${origin}/dev/identity/credential`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, claims }),
  });
  return credentialSchema.parse(await answer.json()).credential;
}

/** Signs in as a browser would; `cookie` is the value for the Cookie header. */
export async function login(origin: string, token: string): Promise<{ user: LoginUser; cookie: string }> {
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { user: loginUserSchema.parse(await answer.json()), cookie };
}
