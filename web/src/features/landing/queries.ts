import type { PublicPlant } from '#contract/plants';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { InferResponseType } from 'hono/client';
import type { Course, Semester } from '#contract/courses';
import { fetchOrThrow } from '../../lib/api-error.ts';
import type { api } from '../../lib/api.ts';
import type { Locale } from '../../lib/locale.ts';
import { loginState } from '../../lib/login-state.ts';

/** `running`: the current term; null if unknown. */
export type CourseList = { courses: Course[]; running: { year: number; semester: Semester } | null };

/** The API's data that the edge rendered into the main page (src/edge-page.tsx). */
export type EmbeddedData = { courses?: CourseList; plant?: PublicPlant | null };

export const EMBEDDED_DATA_ID = 'delivered';

/** The user is part of the key, because the response depends on the user. */
export const peopleQuery = (locale: Locale, userId: number) =>
  queryOptions({
    queryKey: ['people', locale, userId],
    retryOnMount: true,
    queryFn: async ({ signal }) =>
      (await read<typeof api.people.$get>(`/api/people?lang=${locale}`, { signal })).data,
  });

/** `no-cache`, because a copy in the browser's cache would hide recent changes. */
export const publicCoursesQuery = queryOptions({
  queryKey: ['courses'],
  retryOnMount: true,
  queryFn: async ({ signal }): Promise<CourseList> => {
    const asked = read<typeof api.courses.$get>('/api/courses', { signal, cache: 'no-cache' });
    const [{ data, at }] = await Promise.all([asked, requestParts()]);
    return { courses: data, running: await runningBy(at) };
  },
});

/**
 * The current term, by the server's clock. The calendar is not in the first script; if it cannot be loaded,
 * no term is marked.
 * @param at Date header of the courses' response; a local run sends none
 */
async function runningBy(at: string | null): Promise<CourseList['running']> {
  const calendar = await import('#contract/terms').catch(() => undefined);
  return calendar?.currentSemester(at === null ? Date.now() : Date.parse(at)) ?? null;
}

/** How often the visible page requests the plant's next reading; a hidden page requests nothing. */
const PLANT_POLL_MS = 60_000;

/** If the public plant cannot be loaded, the page shows a drawn curve and no toast. */
export const publicPlantQuery = queryOptions({
  queryKey: ['public plant'],
  queryFn: async ({ signal, client }): Promise<PublicPlant | null> => {
    const before = client.getQueryData<PublicPlant | null>(['public plant']);
    const asked = read<typeof api.plants.public.$get>('/api/plants/public', { signal, cache: 'no-cache' });
    const plant = await asked.then(
      ({ data }) => data,
      () => before ?? null,
    );
    await requestParts();
    return plant;
  },
  refetchInterval: ({ state }) => (state.data?.last ? PLANT_POLL_MS : false),
});

/**
 * Puts the embedded data into the query client, so that hydration produces the same HTML as the edge. The
 * page still requests the data for signed-in users, who may have changed the data, and when the browser shows
 * an old copy of the page after Back or Forward.
 */
export function takeEmbeddedData(client: QueryClient): void {
  const block = document.getElementById(EMBEDDED_DATA_ID)?.textContent;
  if (!block) return;
  const { courses, plant }: EmbeddedData = JSON.parse(block);
  const [visit] = performance.getEntriesByType('navigation');
  const isKept = visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward';
  const options = isKept || loginState().isLoggedIn ? { updatedAt: 0 } : {};
  if (courses) client.setQueryData(publicCoursesQuery.queryKey, courses, options);
  if (plant !== undefined) client.setQueryData(publicPlantQuery.queryKey, plant, options);
}

/** Does not use the API's client, which would add 2 KB to the first script for a single call. */
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

/** Resolves before the language, the data or the page changes, because the change needs the static parts. */
export const waitForPartsRequest = () => needed;

/** Sets the function that loads the parts. Importing the parts here would be a circular import. */
export function setPartsLoader(loader: () => Promise<unknown>): void {
  load = loader;
}

/** Loads the parts; call before a change is shown. If a part cannot be loaded, the part shows the failure. */
export async function requestParts(): Promise<void> {
  tellNeeded();
  await load().catch(() => undefined);
}
