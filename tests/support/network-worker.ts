/**
 * The network as the API worker under test sees it: identity.test is the identity provider; every other address
 * answers what a test told it to, as often as it is asked, counts, and keeps what it was sent. Runs as a worker; vitest.config.ts strips its
 * types.
 */
type Env = { IDENTITY: { fetch: (request: Request) => Promise<Response> } };

/** What an address answers: nothing as long as it is not told otherwise, or a status with a body. */
export type Answer = 'nothing' | { status: number; body: string };

type Address = { answer: Answer; asked: number; bodies: string[] };

const addresses = new Map<string, Address>();

/** A header that turns a request into an order of the test's own. */
const ORDER = 'x-test-order';

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { hostname, href } = new URL(request.url);
    if (hostname === 'identity.test') return await env.IDENTITY.fetch(request);
    const address = addresses.get(href) ?? { answer: { status: 404, body: '' }, asked: 0, bodies: [] };
    addresses.set(href, address);
    const order = request.headers.get(ORDER);
    if (order === 'count') return Response.json(address.asked);
    if (order === 'bodies') return Response.json(address.bodies);
    if (order === 'answer') {
      address.answer = await request.json();
      return new Response();
    }
    address.asked += 1;
    address.bodies.push(await request.text());
    while (address.answer === 'nothing') await new Promise((resolve) => setTimeout(resolve, 10));
    return new Response(address.answer.body, { status: address.answer.status });
  },
};
