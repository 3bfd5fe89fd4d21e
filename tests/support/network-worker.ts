/**
 * The network for the API worker under test. identity.test is the identity provider. Every other address
 * gives the answer that a test has set, counts requests and stores their bodies. Runs as a worker;
 * vitest.config.ts removes the types.
 */
type Env = { IDENTITY: { fetch: (request: Request) => Promise<Response> } };

/** The answer of an address: a status and a body, or `nothing`, which waits until the answer is changed. */
export type Answer = 'nothing' | { status: number; body: string };

type Address = { answer: Answer; asked: number; bodies: string[] };

const addresses = new Map<string, Address>();

/** A request with this header is a command of the test. */
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
