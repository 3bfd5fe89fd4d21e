import type { PublicPlant } from '#contract/plants';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { InferResponseType } from 'hono/client';
import { fetchOrThrow } from '../../lib/api-error.ts';
import type { api } from '../../lib/api.ts';
import type { Locale } from '../../lib/locale.ts';
import { loginState } from '../../lib/login-state.ts';
import { EMBEDDED_DATA_ID, type CourseList, type EmbeddedData } from './embedded-data.ts';

/** The user is part of the key, because the response depends on who asks. */
export const peopleQuery = (locale: Locale, userId: number) =>
  queryOptions({
    queryKey: ['people', locale, userId],
    retryOnMount: true,
    queryFn: async ({ signal }) =>
      (await read<typeof api.people.$get>(`/api/people?lang=${locale}`, { signal })).data,
  });

/** `no-cache`: the edge may answer from its cache, but the browser's own copy would hide recent changes. */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  retryOnMount: true,
  queryFn: async ({ signal }): Promise<CourseList> => {
    const asked = read<typeof api.courses.$get>('/api/courses', { signal, cache: 'no-cache' });
    const [{ data, at }] = await Promise.all([asked, needParts()]);
    return { courses: data, running: await runningBy(at) };
  },
});

/**
 * The running term, by the server's clock. The first script has no room for the calendar; where it cannot be loaded
 * nothing is marked.
 * @param at the date of the answer that brought the courses; a local run's has none
 */
async function runningBy(at: string | null): Promise<CourseList['running']> {
  const calendar = await import('#contract/terms').catch(() => undefined);
  return calendar?.runningSemester(at === null ? Date.now() : Date.parse(at)) ?? null;
}

/** Whoever looks on sees the plant's next reading; nobody asks for one that is hidden, or closed. */
const PLANT_POLL_MS = 60_000;

/** The public plant is an ornament: without it the drawn line stands, and no toast tells of it. */
export const plantQuery = queryOptions({
  queryKey: ['public plant'],
  queryFn: async ({ signal, client }): Promise<PublicPlant | null> => {
    const before = client.getQueryData<PublicPlant | null>(['public plant']);
    const asked = read<typeof api.plants.public.$get>('/api/plants/public', { signal, cache: 'no-cache' });
    const plant = await asked.then(
      ({ data }) => data,
      () => before ?? null,
    );
    await needParts();
    return plant;
  },
  refetchInterval: ({ state }) => (state.data?.last ? PLANT_POLL_MS : false),
});

/**
 * Takes over what the edge has drawn into the page, so that it wakes as it is and nothing is asked again. Who has signed
 * in may have written at another place of the edge, and a page may have been kept by the browser: both wake, and ask.
 */
export function takeEmbeddedData(client: QueryClient): void {
  const block = document.getElementById(EMBEDDED_DATA_ID)?.textContent;
  if (!block) return;
  const { courses, plant }: EmbeddedData = JSON.parse(block);
  const [visit] = performance.getEntriesByType('navigation');
  const isKept = visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward';
  const options = isKept || loginState().isLoggedIn ? { updatedAt: 0 } : {};
  if (courses) client.setQueryData(coursesQuery.queryKey, courses, options);
  if (plant !== undefined) client.setQueryData(plantQuery.queryKey, plant, options);
}

/** Not by the API's client: it would weigh 2 KB in the first script, which makes no other call. */
async function read<Call>(path: string, init: RequestInit): Promise<Read<Call>> {
  const response = await fetchOrThrow(path, init);
  return { data: await response.json(), at: response.headers.get('date') };
}
type Read<Call> = { data: InferResponseType<Call>; at: string | null };

let tellNeeded: () => void = () => undefined;
const needed = new Promise<void>((resolve) => {
  tellNeeded = resolve;
});
let load: () => Promise<unknown> = async () => undefined;

/** Resolves when something of what is drawn is about to change: its language, its data or the page. */
export const untilNeeded = () => needed;

/** Who loads the parts says how. Calls cannot import that: the parts themselves make calls. */
export function loadPartsBy(loader: () => Promise<unknown>): void {
  load = loader;
}

/** Before a change shows. What fails is told where it belongs. */
export async function needParts(): Promise<void> {
  tellNeeded();
  await load().catch(() => undefined);
}
