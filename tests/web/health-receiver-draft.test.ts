import { expect, test } from 'vitest';
import type { Receiver } from '#contract/receivers';
import {
  receiverDraftProblems,
  emptyReceiverDraft,
  receiverKindOfAddress,
  receiverFromDraft,
} from '../../web/src/features/health/receivers/receiver-draft.ts';
import { receiverState, scopeText } from '../../web/src/features/health/labels.ts';

const NOW = Date.UTC(2026, 2, 2, 9);
const receiver = (given: Partial<Receiver>): Receiver => ({
  id: 1,
  kind: 'slack',
  name: '온실',
  host: 'hooks.slack.com',
  plants: null,
  absent: [],
  line: true,
  quiet: null,
  told_at: null,
  waiting: 0,
  dropped: 0,
  failure: null,
  next_at: null,
  ...given,
});
const state = (given: Partial<Receiver>) => receiverState(receiver(given), NOW);

test('PLT-10 the screen says of a receiver what it took last, what waits for it, and what it was never told', () => {
  expect(state({})).toEqual({ text: '발송한 알림이 없습니다', isBad: false });
  expect(state({ told_at: '2026-03-02T08:57:00Z' }).text).toBe('마지막 알림 3분 전');
  expect(state({ waiting: 2 }).text).toBe('2건을 곧 알립니다');
  expect(state({ waiting: 2, quiet: { from: '22:00', to: '07:00' } }).text).toBe(
    '2건을 방해 금지 시간 뒤에 알립니다',
  );
  expect(state({ waiting: 2, failure: 'answered 500', next_at: '2026-03-02T09:04:00Z' })).toEqual({
    text: '받지 않았습니다 (응답 500) · 2건 대기, 18:04에 다시 시도',
    isBad: true,
  });
  expect(state({ dropped: 3, failure: 'too late' }).text).toMatch(/^3건을 알리지 못했습니다: 10초 안에/);
});

test('PLT-10 the screen says of what a receiver is told', () => {
  expect(scopeText({ plants: null, absent: [], line: true })).toBe('모든 화분 · 시스템');
  expect(scopeText({ plants: ['바질', '이끼'], absent: ['fern'], line: false })).toBe(
    '바질, 이끼, fern(삭제한 화분)',
  );
  expect(scopeText({ plants: [], absent: [], line: true })).toBe('시스템');
});

test('PLT-10 a typed address chooses its kind, and the form names what is missing', () => {
  expect(receiverKindOfAddress(' https://HOOKS.slack.com/services/x')).toBe('slack');
  expect(receiverKindOfAddress('https://discord.com/api/webhooks/1/x')).toBe('discord');
  expect(receiverKindOfAddress('gaon@lab.test')).toBe('mail');
  expect(receiverKindOfAddress('https://receiver.example/')).toBeUndefined();
  expect(Object.keys(receiverDraftProblems(emptyReceiverDraft))).toEqual(['name', 'address']);
  const filled = { ...emptyReceiverDraft, name: ' 온실 ', address: ' https://receiver.example/ ' };
  expect(receiverDraftProblems(filled)).toEqual({});
  expect(receiverFromDraft(filled)).toMatchObject({
    name: '온실',
    address: 'https://receiver.example/',
    plants: null,
  });
  expect(receiverDraftProblems({ ...filled, scope: 'some' })).toHaveProperty('scope');
  expect(receiverDraftProblems({ ...filled, scope: 'none', line: false })).toHaveProperty('line');
  expect(receiverDraftProblems({ ...filled, isQuiet: true, to: '22:00' })).toHaveProperty('to');
});
