/**
 * The worker in front of the site and of ingest in the local run, where no Cloudflare routes names: it answers only to the
 * machine's own. Miniflare's own routes would not do, because headers of a request can change what they see.
 */
import { isOwnName, NOT_OUR_NAME } from '#contract/own-names';

type Service = { fetch: (request: Request) => Promise<Response> };
type Env = {
  NAMES: string[];
  BEHIND: Service;
  /** What answers under /dev/identity. */
  IDENTITY?: Service;
};

export default {
  fetch: async (request: Request, { NAMES, BEHIND, IDENTITY }: Env): Promise<Response> => {
    if (!isOwnName(request.headers.get('host'), NAMES)) {
      return new Response(NOT_OUR_NAME, { status: 421, headers: { 'content-type': 'text/plain' } });
    }
    const isIdentity = new URL(request.url).pathname.startsWith('/dev/identity/');
    return await (isIdentity && IDENTITY ? IDENTITY : BEHIND).fetch(request);
  },
};
