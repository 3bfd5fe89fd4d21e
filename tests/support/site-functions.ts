import { convertV4MiniflareOptions, Miniflare, type Response } from 'miniflare';

type Asked = { url: string; method: string; headers: { get: (name: string) => string | null } };
type Answers = Record<string, (request: Asked) => Response | Promise<Response>>;

/**
 * Starts the built functions of the site, in workerd with their own cache.
 * @param serviceBindings replace the API and the files of the build
 */
export async function startSiteFunctions(serviceBindings: Answers): Promise<Miniflare> {
  const site = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      scriptPath: 'dist/functions/index.js',
      compatibilityDate: '2026-10-23',
      cf: false,
      serviceBindings,
    }),
  );
  await site.ready;
  return site;
}
