import { COMPARED_VERSION, type RosterPreview } from '#contract/students';
import { ApiError } from '../../../lib/api-error.ts';

const TRIES = 3;

/**
 * Stores what a preview has shown. When the roster has changed since, it is compared anew: a change that this import has
 * nothing to do with, such as a picture, changes nothing of what was shown.
 * @throws the server's 409 when what was shown is no longer true; nothing is stored then
 */
export async function storeCompared(
  { version, ...shown }: RosterPreview,
  store: (version: string) => Promise<unknown>,
  compare: () => Promise<RosterPreview>,
): Promise<void> {
  let seen = version;
  for (let left = TRIES - 1; ; left--) {
    try {
      await store(seen);
      return;
    } catch (error) {
      if (!isOutdated(error) || left === 0) throw error;
      const { version: newest, ...now } = await compare();
      if (JSON.stringify(now) !== JSON.stringify(shown)) throw error;
      seen = newest;
    }
  }
}

/** Whether the roster has changed since it was compared. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.details?.field === COMPARED_VERSION;
