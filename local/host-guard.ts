/**
 * The worker in front of site and ingest worker in the local run. It accepts only the names of this machine,
 * as Cloudflare would. Miniflare's routes cannot check the name, because request headers can change it.
 */
import { isAllowedHost, HOST_REFUSED_TEXT } from '#contract/host-header';

type Service = { fetch: (request: Request) => Promise<Response> };
type Env = {
  NAMES: string[];
  TARGET: Service;
  /** The worker that answers below /dev/identity. */
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

/** Whether the browser accepts `Secure` cookies: Safari's engine refuses them from http://127.0.0.1. */
const keepsSecureCookies = ({ url, headers }: Request) =>
  url.startsWith('https:') || !/AppleWebKit(?!.*Chrom)/.test(headers.get('user-agent') ?? '');

/** For other browsers: removes `Secure` and `__Host-` from cookies, and adds `__Host-` in requests. */
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
