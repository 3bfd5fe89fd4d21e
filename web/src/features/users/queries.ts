import { ACCESS_LOG_PAGE_SIZE } from '#contract/access-log';
import type { LogReport } from '#contract/log-reviews';
import { infiniteQueryOptions, keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { readJson, api, manualRefetch } from '../../lib/api.ts';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { saveFile } from '../../lib/save-file.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { logQueryOf, type LogFilter } from './log-filter.ts';
import type { UserQuestion } from './questions.ts';
import { reviewCsv } from './review-csv.ts';

// Reading personal data is logged, so neither query runs before the user asks for the data.

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => readJson(api.users.$get({}, { init: { signal } })),
  ...manualRefetch,
});

/** @param turn counts the searches, so that the same filter can be requested again */
export const accessLogQuery = (filter: LogFilter, turn: number) =>
  infiniteQueryOptions({
    queryKey: ['access-log', filter, turn],
    queryFn: ({ signal, pageParam }) =>
      readJson(api.access_log.$get({ query: logQueryOf(filter, pageParam) }, { init: { signal } })),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < ACCESS_LOG_PAGE_SIZE ? undefined : page.at(-1)?.id),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

const { reviews } = api.access_log;

export const logMonthsQuery = queryOptions({
  queryKey: ['log-reviews', 'months'],
  queryFn: ({ signal }) => readJson(reviews.$get({}, { init: { signal } })),
  ...manualRefetch,
});

export const logReportQuery = (month: string) =>
  queryOptions({
    queryKey: ['log-reviews', month],
    queryFn: ({ signal }) => readJson(reviews[':month'].$get({ param: { month } }, { init: { signal } })),
    ...manualRefetch,
  });

export const signOffMutation = mutationOptions({
  mutationFn: async ({ month, remark }: { month: string; remark: string }, { client }) => {
    await reviews[':month'].$post({ param: { month }, json: { remark } });
    await client.invalidateQueries({ queryKey: awaitingQuery.queryKey });
  },
  meta: { done: '점검 완료', reload: ['log-reviews'] },
});

/** The report is exported only after the reason has been logged. */
export const exportReportMutation = mutationOptions({
  mutationFn: ({ report: { month }, reason }: { report: LogReport; reason: string }) =>
    reviews[':month'].exports.$post({ param: { month }, json: { reason } }),
  onSuccess: (_answer, { report }) =>
    saveFile(`접속 기록 월별 점검 ${report.month}.csv`, 'text/csv;charset=utf-8', reviewCsv(report)),
  meta: { done: '내보내기 완료' },
});

/** Carries out the action that the admin confirmed. */
export const applyUserChangeMutation = mutationOptions({
  mutationFn: async (question: UserQuestion) => {
    const param = { id: String(question.user.id) };
    const user = api.users[':id'];
    const { kind } = question;
    if (kind === 'role') return await user.$put({ param, json: { secureLevel: question.level } });
    if (kind === 'delete') return await user.$delete({ param });
    if (kind === 'release-number') return await user.univ_id.$delete({ param });
    return await user.univ_id.$put({ param, json: { univ_id: question.number } });
  },
  onSuccess: async (_answer, { kind }, _result, { client }) => {
    showToast(kind === 'delete' ? '삭제 완료' : '변경 완료');
    await client.invalidateQueries({ queryKey: awaitingQuery.queryKey });
  },
  meta: { reload: usersQuery.queryKey },
});
