type Env = { API: Fetcher };

/** Hands every request under /api to the API worker as it came, so that the browser sees one origin. */
export const onRequest: PagesFunction<Env> = ({ env, request }) => env.API.fetch(request);
