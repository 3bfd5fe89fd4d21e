/**
 * In the local run this worker is in front of the site and the ingest worker, and accepts only this machine's
 * host names, as Cloudflare would. Miniflare's routes cannot: request headers can change the host name.
 */
import { isAllowedHost, HOST_REFUSED_TEXT } from '#contract/host-header';

type Service = { fetch: (request: Request) => Promise<Response> };
type Env = {
  NAMES: string[];
  TARGET: Service;
  /** The worker that answers all paths below /dev/identity. */
  IDENTITY?: Service;
};

export default {
  fetch: async (request: Request, { NAMES, TARGET, IDENTITY }: Env): Promise<Response> => {
    if (!isAllowedHost(request.headers.get('host'), NAMES)) {
      return new Response(HOST_REFUSED_TEXT, { status: 421, headers: { 'content-type': 'text/plain' } });
    }
    const isIdentity = new URL(request.url).pathname.startsWith('/dev/identity/');
    const target = isIdentity && IDENTITY ? IDENTITY : TARGET;
    return keepsSecureCookies(request)
      ? await target.fetch(request)
      : await withPlainCookies(request, target);
  },
};

/** Whether the browser accepts `Secure` cookies. Safari's engine refuses them from http://127.0.0.1. */
const keepsSecureCookies = ({ url, headers }: Request) =>
  url.startsWith('https:') || !/AppleWebKit(?!.*Chrom)/.test(headers.get('user-agent') ?? '');

/** For browsers that refuse them: renames `__Host-…` to `local-…`, without `Secure`, and back in requests. */
async function withPlainCookies(request: Request, target: Service): Promise<Response> {
  const asked = new Request(request);
  asked.headers.set('cookie', (request.headers.get('cookie') ?? '').replaceAll(/(^|; )local-/g, '$1__Host-'));
  const answer = await target.fetch(asked);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.delete('set-cookie');
  for (const cookie of cookies)
    headers.append('set-cookie', cookie.replace(/^__Host-/, 'local-').replace(/; Secure/i, ''));
  return new Response(answer.body, { status: answer.status, headers });
}
