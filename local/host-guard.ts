/**
 * The worker in front of site and ingest in the local run, where no Cloudflare checks host names: it accepts
 * only the names of this machine. Miniflare's routes cannot check them: request headers change what they see.
 */
import { isAllowedHost, HOST_REFUSED_TEXT } from '#contract/host-header';

type Service = { fetch: (request: Request) => Promise<Response> };
type Env = {
  NAMES: string[];
  BEHIND: Service;
  /** The worker that answers below /dev/identity. */
  IDENTITY?: Service;
};

export default {
  fetch: async (request: Request, { NAMES, BEHIND, IDENTITY }: Env): Promise<Response> => {
    if (!isAllowedHost(request.headers.get('host'), NAMES)) {
      return new Response(HOST_REFUSED_TEXT, { status: 421, headers: { 'content-type': 'text/plain' } });
    }
    const isIdentity = new URL(request.url).pathname.startsWith('/dev/identity/');
    const behind = isIdentity && IDENTITY ? IDENTITY : BEHIND;
    return keepsSecureCookies(request)
      ? await behind.fetch(request)
      : await withPlainCookies(request, behind);
  },
};

/** Whether the browser accepts `Secure` cookies here; Safari's engine does not from http://127.0.0.1. */
const keepsSecureCookies = ({ url, headers }: Request) =>
  url.startsWith('https:') || !/AppleWebKit(?!.*Chrom)/.test(headers.get('user-agent') ?? '');

/** For a browser that refuses them: removes flag and prefix from cookies; restores them in its requests. */
async function withPlainCookies(request: Request, behind: Service): Promise<Response> {
  const asked = new Request(request);
  asked.headers.set('cookie', (request.headers.get('cookie') ?? '').replaceAll(/(^|; )local-/g, '$1__Host-'));
  const answer = await behind.fetch(asked);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.delete('set-cookie');
  for (const cookie of cookies)
    headers.append('set-cookie', cookie.replace(/^__Host-/, 'local-').replace(/; Secure/i, ''));
  return new Response(answer.body, { status: answer.status, headers });
}
