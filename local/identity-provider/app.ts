/**
 * Replaces Google's sign-in in the local run. It has real RS256 tokens signed with its own key, a script with
 * the functions of google.accounts.id, and the authorization-code flow. The API worker cannot notice the
 * difference: only the addresses in its settings are different.
 */
import { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { accounts, accountName, newcomer, accountSubject } from './accounts.ts';
import { importJWK, jwtVerify, SignJWT, type JWK } from 'jose';

const ALGORITHM = 'RS256';

export type Claims = Record<string, unknown>;

/** The provider's only key. It is stored in the data folder, so that tokens stay valid after a restart. */
type ProviderKey = JWK & { kid: string };

export function toPublicKey({ kty, n, e, kid }: ProviderKey): JWK {
  return { kty: kty ?? 'RSA', n: n ?? '', e: e ?? '', kid, alg: ALGORITHM, use: 'sig' };
}

/**
 * Signs an ID token in Google's format, valid for an hour.
 * @param claims replace standard claims, to test wrong audiences, issuers and times; null removes a claim
 */
export async function signIdToken(
  key: ProviderKey,
  person: { email: string; name: string },
  { issuer, audience }: { issuer: string; audience: string },
  claims: Claims,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const standard = {
    iss: issuer,
    aud: audience,
    azp: audience,
    sub: await accountSubject(person.email),
    email: person.email,
    email_verified: true,
    // As with Google, only addresses of an organization have this claim: here, those of all other domains.
    hd: isPrivate(person.email) ? null : domainOf(person.email),
    name: person.name,
    iat: now,
    nbf: now,
    exp: now + 3600,
    jti: crypto.randomUUID(),
  };
  const entries = Object.entries({ ...standard, ...claims }).filter(([, value]) => value !== null);
  return await sign(key, Object.fromEntries(entries));
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
const isPrivate = (email: string) => domainOf(email) === 'gmail.com';

const codeSchema = z.object({
  email: z.string(),
  nonce: z.string().optional(),
  challenge: z.string(),
  redirectUri: z.string(),
  jti: z.string(),
});
type Code = z.infer<typeof codeSchema>;

/** Makes an authorization code that is valid for a minute: a signed token that contains its own data. */
async function authorizationCode(key: ProviderKey, code: Omit<Code, 'jti'>): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 60;
  return await sign(key, { ...code, jti: crypto.randomUUID(), aud: 'code', exp });
}

/** Reads the data in a code; undefined if the code is invalid or expired. */
async function readAuthorizationCode(key: ProviderKey, code: string): Promise<Code | undefined> {
  try {
    const { payload } = await jwtVerify(code, await importJWK(toPublicKey(key), ALGORITHM), {
      audience: 'code',
    });
    return codeSchema.parse(payload);
  } catch {
    // For every cause, the client gets the same error: invalid_grant.
    return undefined;
  }
}

async function sign(key: ProviderKey, claims: Claims): Promise<string> {
  const privateKey = await importJWK(key, ALGORITHM);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
    .sign(privateKey);
}

/** `CLIENT_SCRIPT` is the text of client.ts, which the build has bundled. */
type Env = {
  KEY: ProviderKey;
  ISSUER: string;
  CLIENT_ID: string;
  CLIENT_SECRET: string;
  CLIENT_SCRIPT: string;
};

const credentialSchema = z.strictObject({
  email: z.email(),
  name: z.string().optional(),
  claims: z.record(z.string(), z.unknown()).default({}),
});
const authorizeSchema = z.object({
  client_id: z.string(),
  /** The redirect address must have the registered path. Its origin may be any. */
  redirect_uri: z.url().endsWith('/api/login/callback'),
  response_type: z.literal('code'),
  state: z.string(),
  nonce: z.string().optional(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
  email: z.string().optional(),
});
const tokenSchema = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
});

const redeemed = new Set<string>();

const app = new Hono<{ Bindings: Env }>().basePath('/dev/identity');

app.get('/jwks', (c) => c.json({ keys: [toPublicKey(c.env.KEY)] }));

app.get('/accounts', (c) => c.json([...accounts, newcomer].map(({ email, name }) => ({ email, name }))));

app.get('/client', (c) =>
  c.body(c.env.CLIENT_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
);

app.post('/credential', async (c) => {
  const body = credentialSchema.safeParse(await c.req.json().catch(() => undefined));
  if (!body.success) return c.json({ error: z.prettifyError(body.error) }, 400);
  const { email, name = accountName(email), claims } = body.data;
  return c.json({ credential: await tokenFor(c.env, email, name, claims) });
});

app.get('/authorize', async (c) => {
  const query = authorizeSchema.safeParse(c.req.query());
  if (!query.success) return c.text(z.prettifyError(query.error), 400);
  const { client_id, redirect_uri, state, nonce, code_challenge: challenge, email } = query.data;
  if (client_id !== c.env.CLIENT_ID) return c.text('unknown client_id', 400);
  if (email === undefined) return c.html(accountChooser(new URL(c.req.url)));
  const target = new URL(redirect_uri);
  const code = { email, challenge, redirectUri: redirect_uri, ...(nonce !== undefined && { nonce }) };
  target.searchParams.set('code', await authorizationCode(c.env.KEY, code));
  target.searchParams.set('state', state);
  return c.redirect(target.href);
});

app.post('/token', async (c) => {
  const form = tokenSchema.safeParse(await c.req.parseBody());
  const code = form.success ? await readAuthorizationCode(c.env.KEY, form.data.code) : undefined;
  const genuine =
    form.success &&
    code !== undefined &&
    !redeemed.has(code.jti) &&
    code.redirectUri === form.data.redirect_uri &&
    code.challenge === (await s256(form.data.code_verifier)) &&
    c.req.header('authorization') === `Basic ${btoa(`${c.env.CLIENT_ID}:${c.env.CLIENT_SECRET}`)}`;
  if (!genuine) return c.json({ error: 'invalid_grant' }, 400);
  redeemed.add(code.jti);
  // As with Google, a token of this flow has no `jti` and `nbf`. A token of the button has both.
  const claims = { jti: null, nbf: null, ...(code.nonce !== undefined && { nonce: code.nonce }) };
  const id_token = await tokenFor(c.env, code.email, accountName(code.email), claims);
  return c.json({ access_token: crypto.randomUUID(), token_type: 'Bearer', expires_in: 3600, id_token });
});

function tokenFor(env: Env, email: string, name: string, claims: Claims): Promise<string> {
  return signIdToken(env.KEY, { email, name }, { issuer: env.ISSUER, audience: env.CLIENT_ID }, claims);
}

async function s256(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function accountChooser(url: URL) {
  const choices = [...accounts, newcomer].map(({ email, name }) => {
    const target = new URL(url);
    target.searchParams.set('email', email);
    return html`<li><a href="${target.href}">${name} — ${email}</a></li>`;
  });
  return html`<!doctype html>
    <html lang="ko">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>로컬 로그인</title>
      </head>
      <body>
        <h1>계정 선택</h1>
        <ul>
          ${choices}
        </ul>
      </body>
    </html>`;
}

export default app;
