import { focusManager, MutationObserver, QueryObserver, type MutationMeta } from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, NotFromApiError } from '../../web/src/lib/api-error.ts';
import { createQueryClient, shouldRetry } from '../../web/src/query-client.ts';
import { failureReaction } from '../../web/src/react-to-failure.ts';
import { shownToasts } from '../../web/src/lib/toast-queue.ts';
import { invalidateAfterMutations } from '../../web/src/invalidate-after-mutations.ts';

// Outside a browser nobody clicks.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));

describe('what becomes of a change', () => {
  const change = async (meta: MutationMeta, error?: ApiError) => {
    const client = createQueryClient(() => {});
    invalidateAfterMutations(client);
    client.setQueryData(['list', 'all'], 0);
    const mutationFn = () => (error ? Promise.reject(error) : Promise.resolve());
    await new MutationObserver(client, { mutationFn, meta }).mutate().catch(() => undefined);
    return client.getQueryState(['list', 'all'])?.isInvalidated;
  };

  test('a change that is done has its list read again', async () => {
    expect(await change({ reload: ['list'] })).toBe(true);
    expect(await change({ reload: ['other'] })).toBe(false);
    expect(await change({ reloadIfOutdated: ['list'] })).toBe(false);
  });

  test('a change says that it is done when its list is read again', async () => {
    const client = createQueryClient(() => {});
    invalidateAfterMutations(client);
    const told: number[] = [];
    const queryFn = () => told.push(shownToasts().length);
    const leave = new QueryObserver(client, { queryKey: ['list'], queryFn }).subscribe(() => {});
    await expect.poll(() => told).toEqual([0]);
    const meta = { done: '저장 완료', reload: ['list'] };
    await new MutationObserver(client, { mutationFn: () => Promise.resolve(), meta }).mutate();
    expect([told, shownToasts().map(({ text }) => text)]).toEqual([[0, 0], ['저장 완료']]);
    leave();
  });

  test('a change of what is gone or has changed reads the list again, any other failure does not', async () => {
    for (const status of [404, 409]) {
      expect(await change({ reload: ['list'] }, new ApiError(status))).toBe(true);
      expect(await change({ reloadIfOutdated: ['list'] }, new ApiError(status))).toBe(true);
    }
    for (const status of [0, 400, 403, 500]) {
      expect(await change({ reload: ['list'] }, new ApiError(status))).toBe(false);
    }
  });
});

describe('another tab of the same user', () => {
  afterEach(() => focusManager.setFocused(undefined));
  const tab = () => {
    const client = createQueryClient(() => {});
    invalidateAfterMutations(client);
    return client;
  };
  const changing = async (meta: MutationMeta, mutationFn = () => Promise.resolve()) => {
    await new MutationObserver(tab(), { mutationFn, meta }).mutate().catch(() => undefined);
  };

  test('WORK-9 reads what it shows again, and one that is hidden does so when it is seen', async () => {
    let reads = 0;
    const client = tab();
    const shown = { queryKey: ['students', 'all'], queryFn: () => Promise.resolve(++reads) };
    const leave = new QueryObserver(client, shown).subscribe(() => {});
    await expect.poll(() => reads).toBe(1);
    focusManager.setFocused(true);
    await changing({ reload: ['students'] });
    await expect.poll(() => reads).toBe(2);
    focusManager.setFocused(false);
    await changing({ reload: ['students', 'imports'], reloadElsewhere: ['students'] });
    await expect.poll(() => client.getQueryState(shown.queryKey)?.isInvalidated).toBe(true);
    expect(reads).toBe(2);
    focusManager.setFocused(true);
    await expect.poll(() => reads).toBe(3);
    leave();
  });

  test.each<[MutationMeta, boolean]>([
    [{ reload: ['list'], reloadElsewhere: ['list'] }, false],
    [{ reload: ['list'], isPartial: true }, true],
  ])('WORK-9 is told of a failed change only where a part of it may be done: %j', async (meta, isTold) => {
    const client = tab();
    client.setQueryData(['list'], 0);
    client.setQueryData(['last'], 0);
    await changing(meta, () => Promise.reject(new ApiError(500)));
    await changing({ reload: ['last'] });
    await expect.poll(() => client.getQueryState(['last'])?.isInvalidated).toBe(true);
    expect(client.getQueryState(['list'])?.isInvalidated).toBe(isTold);
  });
});

describe('what a failed call means for the page', () => {
  test('ERR-1 a 401 resets the login, toasts and goes to /login', () => {
    expect(failureReaction(new ApiError(401))).toEqual({ toast: 401, resetLogin: true, go: 'login' });
  });

  test('ERR-1 a 403 toasts and stays, or goes back where the screen says so', () => {
    expect(failureReaction(new ApiError(403))).toEqual({ toast: 403 });
    expect(failureReaction(new ApiError(403), 'back')).toEqual({ toast: 403, go: 'back' });
  });

  test('ERR-1 a 503 toasts itself, every other failure of the server its number', () => {
    expect(failureReaction(new ApiError(503))).toEqual({ toast: 503 });
    for (const status of [500, 502, 522])
      expect(failureReaction(new ApiError(status))).toEqual({ toast: status });
    expect(failureReaction(new TypeError('not of the API'))).toEqual({ toast: 500 });
    // With the id by which the log knows it; a refusal has nothing to look up.
    const requestId = '3f2a9c1e-7b4d';
    expect(failureReaction(new ApiError(500, undefined, { requestId }))).toEqual({ toast: 500, requestId });
    expect(failureReaction(new ApiError(403, undefined, { requestId }))).toEqual({ toast: 403 });
  });

  test('ERR-1 other refusals toast the message of the server, or else their status', () => {
    const conflict = new ApiError(409, { message: '이미 등록된 학번/직번입니다', field: 'univId' });
    expect(failureReaction(conflict)).toEqual({ toast: '이미 등록된 학번/직번입니다' });
    expect(failureReaction(new ApiError(404))).toEqual({ toast: 404 });
  });

  test('WORK-8 what something on the way answered is named, and is neither a refusal nor the end of a session', () => {
    const toast = expect.objectContaining({ ko: '서버와의 사이에서 다른 응답이 왔습니다' });
    for (const status of [200, 401, 403, 404, 409]) {
      expect(failureReaction(new NotFromApiError(status), 'back')).toEqual({ toast });
      expect(shouldRetry(0, new NotFromApiError(status))).toBe(false);
    }
  });

  test('WORK-4 what a form shows side by side is not told a second time', () => {
    expect(
      failureReaction(new ApiError(409, { message: '다른 사람이 먼저 변경했습니다', current: {} })),
    ).toEqual({});
  });

  test('a call without an answer is tried once more, an answer is final', () => {
    expect(shouldRetry(0, new ApiError(0))).toBe(true);
    expect(shouldRetry(1, new ApiError(0))).toBe(false);
    expect(shouldRetry(0, new ApiError(500))).toBe(false);
  });

  test('PLT-2 a query that polls tells its failure once until data has come again', async () => {
    const told: Error[] = [];
    const client = createQueryClient((error) => told.push(error));
    const poll = (result: () => number) =>
      client.fetchQuery({ queryKey: ['poll'], queryFn: result, staleTime: 0 });
    const fail = () => {
      throw new ApiError(500);
    };
    await poll(() => 1);
    await expect(poll(fail)).rejects.toThrow('500');
    await expect(poll(fail)).rejects.toThrow('500');
    expect(told).toEqual([new ApiError(500)]);
    await poll(() => 2);
    await expect(poll(fail)).rejects.toThrow('500');
    expect(told).toHaveLength(2);
  });

  test.each([401, 403])(
    'WORK-6 a query that polls tells each %i, also when it showed data before',
    async (status) => {
      const told: Error[] = [];
      const client = createQueryClient((error) => told.push(error));
      const poll = (result: () => number) =>
        client.fetchQuery({ queryKey: ['poll'], queryFn: result, staleTime: 0 });
      const refuse = () => {
        throw new ApiError(status);
      };
      await poll(() => 1);
      await expect(poll(refuse)).rejects.toThrow(String(status));
      await expect(poll(refuse)).rejects.toThrow(String(status));
      expect(told).toHaveLength(2);
    },
  );
});
