import { ANY_LEVEL, GUEST, UNIVERSITY, type SecureLevel } from '#contract/access-levels';
import {
  UNIV_ID_CLAIMS_PER_HOUR,
  type DraftKey,
  type IdentityProvider,
  type LoginUser,
  type LoginWithoutEmail,
  type OwnSession,
  profileSchema,
  type SignInNonce,
} from '#contract/users';
import { isSessionExpired, isTokenFormat } from '#contract/session';
import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { ApiError } from '#http/api-error';
import { broadcast } from '#http/live-screens';
import type { AppEnv, SessionUser, UserEnv } from '../lib/app-env.ts';
import { lowerCaseAscii, readConfig, type Config } from '../lib/config.ts';
import { identityProviderOf, verifyIdToken, type Identity } from '../lib/identity.ts';
import { requireLevel } from './require-level.ts';
import { deriveKey, newToken, sha256Hex } from '../lib/random-tokens.ts';
import { countLogin, limitLogins } from '../lib/rate-limit.ts';
import { parseRowId, jsonBody } from '../lib/validate.ts';
import { claimUnivId, countUnivIdClaim } from '../claims/data.ts';
import { deleteOwnSession, listSessions } from './data.ts';
import {
  OAUTH_CHECKS_SECONDS,
  createAuthorization,
  readOauthChecks,
  exchangeCode,
  type OauthChecks,
} from './redirect-flow.ts';
import { endSession, openSession, sessionUser } from './session.ts';

const CHECKS_PREFIX = '__Host-sign-in-to-';
/** The name of the cookie: each tab that goes to the provider has its own. */
const checksCookie = (state: string) => CHECKS_PREFIX + state.slice(0, 12);
/** How many tabs may be at the provider at the same time; a further tab replaces the oldest. */
const TABS_AWAY_MAX = 4;
/** The cookie of a client that chose its own nonce; this nonce is stored unhashed. */
const NONCE_COOKIE = 'nonce';
/** The login page's cookie. The provider sees only a hash of it, so a token does not reveal it. */
const PAGE_COOKIE = '__Host-sign-in-page';
const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;

const TOO_MANY_CLAIMS = `학번/직번은 한 시간에 ${UNIV_ID_CLAIMS_PER_HOUR}번까지 등록할 수 있습니다. 잠시 후 다시 시도하세요`;

/** Runs before the body is validated: otherwise a 400 would hide that the id is somebody else's. */
const requireOwnId = createMiddleware<UserEnv>(async (c, next) => {
  if (parseRowId(c.req.param('id')) !== c.get('user').id) throw new ApiError(403);
  await next();
});

export const login = new Hono<AppEnv>()
  .get('/provider', (c) => {
    const config = readConfig(c.env);
    return c.json<IdentityProvider>({
      clientId: config.GOOGLE_CLIENT_ID,
      scriptUrl: identityProviderOf(config).script,
    });
  })

  .post('/', limitLogins, async (c) => {
    const credential = /^(?:bearer )?([^ ]+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (credential === undefined) throw new ApiError(401);
    const identity = await verifyIdToken(readConfig(c.env), c.var.log, credential, await allowedNonces(c));
    const user = await signIn(c, identity);
    if (getCookie(c, NONCE_COOKIE) !== undefined) deleteCookie(c, NONCE_COOKIE, cookieOptions);
    return c.json<LoginUser | LoginWithoutEmail>(user);
  })

  /** Tabs share the cookie until the browser is closed or the user logs out, so each tab can sign in. */
  .post('/nonce', async (c) => {
    const held = pageToken(c);
    const token = held ?? newToken();
    if (held === undefined) setCookie(c, PAGE_COOKIE, token, cookieOptions);
    return c.json<SignInNonce>({ nonce: await pageNonce(token) });
  })

  .post('/status', async (c) => {
    const user = await sessionUser(c);
    if (!user) throw new ApiError(401);
    return c.json<LoginUser>(loginUser(user));
  })

  .put('/:id', requireLevel(ANY_LEVEL), requireOwnId, jsonBody(profileSchema), async (c) => {
    const user = c.get('user');
    const profile = c.req.valid('json');
    if (profile.name !== user.name || profile.email !== user.email) {
      throw new ApiError(400, {
        message: '로그인 정보가 일치하지 않습니다',
        field: profile.name === user.name ? 'email' : 'name',
      });
    }
    const { db } = c.var;
    const wait = profile.univId === user.univId ? 0 : await countUnivIdClaim(db, user.id, Date.now());
    if (wait > 0) {
      c.header('Retry-After', String(wait));
      throw new ApiError(429, { message: TOO_MANY_CLAIMS, field: 'univId' });
    }
    const claimed = await claimUnivId(db, user, profile.univId);
    if (!claimed) throw new ApiError(409, { message: '이미 등록된 학번/직번입니다', field: 'univId' });
    return c.json<LoginUser>({ ...loginUser(user), univId: profile.univId });
  })

  /** Derived on each request and stored nowhere; of two secrets the first is used. */
  .get('/:id/draft-key', requireLevel(ANY_LEVEL), requireOwnId, async (c) => {
    const [secret = ''] = readConfig(c.env).COOKIE_SECRETS;
    return c.json<DraftKey>({ key: await deriveKey(secret, `drafts of ${c.get('user').id}`) });
  })

  .get('/sessions', requireLevel(ANY_LEVEL), async (c) => {
    const user = c.get('user');
    const list = await listSessions(c.var.db, user.id);
    const isAlive = (session: (typeof list)[number]) =>
      !isSessionExpired(session, user.secureLevel, Date.now());
    return c.json<OwnSession[]>(
      list.filter(isAlive).map((session) => ({
        id: session.id,
        created_at: new Date(session.createdAt).toISOString(),
        last_used_at: new Date(session.lastUsedAt).toISOString(),
        user_agent: session.userAgent,
        current: session.id === user.sessionId,
      })),
    );
  })

  .delete('/sessions/:id', requireLevel(ANY_LEVEL), async (c) => {
    const id = parseRowId(c.req.param('id'));
    if (!(await deleteOwnSession(c.var.db, c.get('user').id, id))) throw new ApiError(404);
    broadcast(c, (screens) => screens.end({ session: id }));
    return c.json({ ok: true });
  })

  .get('/redirect', async (c) => {
    const { url, state, cookie } = await createAuthorization(readConfig(c.env), new URL(c.req.url).origin);
    const away = Object.keys(getCookie(c)).filter((name) => name.startsWith(CHECKS_PREFIX));
    for (const name of away.slice(0, 1 - TABS_AWAY_MAX)) deleteCookie(c, name, cookieOptions);
    setCookie(c, checksCookie(state), cookie, { ...cookieOptions, maxAge: OAUTH_CHECKS_SECONDS });
    return c.redirect(url.href);
  })

  .get('/callback', async (c) => {
    try {
      const journey = await returnedJourney(c);
      deleteCookie(c, checksCookie(journey.checks.state), cookieOptions);
      // Any page can make a browser request this address: count only users whom we sent to the provider.
      await countLogin(c);
      const user = await signIn(c, await identityOf(c, journey));
      return c.redirect(user.email === null ? '/error/401' : '/login?redirected=1');
    } catch (error) {
      if (!(error instanceof ApiError) || ![401, 429, 503].includes(error.status)) throw error;
      // A person sees this response, so redirect to the login page, which explains the error.
      return c.redirect(`/login?failed=${error.status}`);
    }
  });

export const logout = new Hono<AppEnv>().post('/', async (c) => {
  await endSession(c);
  deleteCookie(c, PAGE_COOKIE, cookieOptions);
  c.header('Clear-Site-Data', '"cache"');
  return c.json({ ok: true });
});

function pageToken(c: Context<AppEnv>): string | undefined {
  const value = getCookie(c, PAGE_COOKIE);
  return value !== undefined && isTokenFormat(value) ? value : undefined;
}

/** Distinguishes a page's nonce from a client's own nonce, which its cookie may hold unhashed. */
const OF_PAGE = 'page-';

const pageNonce = async (token: string) => OF_PAGE + (await sha256Hex(token));

/**
 * The nonces that the token may contain: the page's nonce if a page asked for one, or none. A client with its
 * own nonce must use that nonce. With both cookies only the page's nonce is allowed, because a sibling site
 * can set the client's cookie, but not the page's.
 * @throws ApiError 401 for a page's nonce in the client's cookie: somebody read it from a token
 */
async function allowedNonces(c: Context<AppEnv>): Promise<(string | undefined)[]> {
  const token = pageToken(c);
  const own = getCookie(c, NONCE_COOKIE);
  if (token === undefined && own?.startsWith(OF_PAGE)) throw new ApiError(401);
  const page = token === undefined ? undefined : await pageNonce(token);
  return own === undefined ? [page, undefined] : [page ?? own];
}

/** The last step of both ways to sign in: saves the user; opens a session if the token has an address. */
async function signIn(
  c: Context<AppEnv>,
  { sub, email, isDomainSure, name, token }: Identity,
): Promise<LoginUser | LoginWithoutEmail> {
  if (email === null) return { email };
  const first = isDomainSure ? levelAtFirstSignIn(readConfig(c.env), email) : unknownNewcomer;
  return await openSession(c, { person: { sub, email, name }, first, idToken: token });
}

type FirstLevel = { level: SecureLevel; isListedAdmin: boolean };

const unknownNewcomer: FirstLevel = { level: GUEST, isListedAdmin: false };

/** @param email an address whose domain the provider runs */
function levelAtFirstSignIn(config: Config, email: string): FirstLevel {
  const address = lowerCaseAscii(email);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return {
    level: config.UNIVERSITY_EMAIL_DOMAINS.includes(domain) ? UNIVERSITY : GUEST,
    isListedAdmin: config.ADMIN_EMAILS.includes(address),
  };
}

type Journey = { code: string; checks: OauthChecks };

/**
 * What a browser brings back from the provider, if it went there from this site less than ten minutes ago.
 * @throws ApiError 401 for anything else
 */
async function returnedJourney(c: Context<AppEnv>): Promise<Journey> {
  const { code, state } = c.req.query();
  const cookie = state === undefined ? undefined : getCookie(c, checksCookie(state));
  if (cookie === undefined || code === undefined || state === undefined) throw new ApiError(401);
  const checks = await readOauthChecks(readConfig(c.env), cookie);
  if (checks?.state !== state) throw new ApiError(401);
  return { code, checks };
}

async function identityOf(c: Context<AppEnv>, { code, checks }: Journey): Promise<Identity> {
  const config = readConfig(c.env);
  const token = await exchangeCode(config, new URL(c.req.url).origin, code, checks);
  return await verifyIdToken(config, c.var.log, token, [checks.nonce]);
}

function loginUser({ id, email, name, univId, secureLevel }: SessionUser): LoginUser {
  return { id, email, name, univId, secureLevel };
}
