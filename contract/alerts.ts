import { type AlertDefinition, alertList, watchPartFailureTexts, type WatchPart } from './alert-list.ts';
import { deliveryFailureText } from './receivers.ts';

export type AlertKind = keyof typeof alertList;

/** `name`: the plant (in `PLANT_ALERT_KINDS`), bridge, task or part of the watch; '' if no name is needed. */
export type AlertKey = { kind: AlertKind; name: string };

/** The alert of a kind; undefined for a kind that a newer version added. */
const alertOf = (kind: string): AlertDefinition | undefined =>
  Object.entries(alertList).find(([known]) => known === kind)?.[1];

/** Describes the problem; for a kind that a newer version added, returns kind and name. */
export const alertProblemText = ({ kind, name }: { kind: string; name: string }) =>
  alertOf(kind)?.text(name) ?? `${kind} ${name}`;

/** Texts of a message about an alert: problem and first step; undefined for a kind of a newer version. */
export function alertMessageTexts(
  key: { kind: string; name: string },
  language: 'ko' | 'en',
): { text: string; step: string | undefined } {
  const page = alertOf(key.kind)?.page;
  if (language === 'ko' || page === undefined)
    return { text: alertProblemText(key), step: alertFirstStep(key.kind) };
  // The page's text contains Markdown links and backquotes.
  const step = page.first.replaceAll(/\[([^\]]+)\]\([^)]+\)|`/g, '$1');
  return { text: `${page.what}${key.name === '' ? '' : `: ${key.name}`}`, step };
}

export const alertRowId = ({ kind, name }: { kind: string; name: string }) =>
  encodeURIComponent(`${kind}:${name}`);

/** The first step for a kind of alert; undefined for a kind that a newer version added. */
export const alertFirstStep = (kind: string) => alertOf(kind)?.step;

const isAlertKind = (kind: string): kind is AlertKind => Object.hasOwn(alertList, kind);
const kindsWhere = (isMeant: (alert: AlertDefinition) => boolean): readonly AlertKind[] =>
  Object.keys(alertList)
    .filter(isAlertKind)
    .filter((kind) => isMeant(alertList[kind]));

/** The kinds of alert that a part of the watch begins and ends. */
export const alertKindsOfPart = (part: WatchPart) => kindsWhere(({ check }) => check === part);

/** Alerts about one plant; all others are about the path from the bridge to the database. */
export const PLANT_ALERT_KINDS = kindsWhere(({ isOfPlant }) => isOfPlant ?? false);

/** The plant alerts that end when the plant is hidden or removed. */
export const ALERT_KINDS_ENDED_BY_HIDING = kindsWhere(
  ({ check, isOfPlant }) => check === 'boards' && isOfPlant === true,
);

/** Describes why a scheduled task failed. `failure` is the text in the database and in the log. */
export function taskFailureText(failure: string): string {
  const [, parts] = /the watch failed: (.*)$/.exec(failure) ?? [];
  if (parts !== undefined) return parts.split(', ').map(partText).join(', ');
  const [, hook] = /the webhook: (.*)$/.exec(failure) ?? [];
  if (hook !== undefined) return `운영자가 정한 주소에 알리지 못했습니다: ${deliveryFailureText(hook)}`;
  return causes.find(([cause]) => cause.test(failure))?.[1] ?? '뜻밖의 오류입니다. 로그에 자세히 남았습니다';
}

const partText = (part: string) =>
  Object.entries(watchPartFailureTexts).find(([known]) => known === part)?.[1] ?? part;

const causes: [cause: RegExp, text: string][] = [
  [/exceeded.*(daily|limit|quota)|quota/i, '요금제의 하루 한도를 다 썼습니다'],
  [/maximum DB size|SQLITE_FULL|database or disk is full/i, '데이터베이스가 가득 찼습니다'],
  [/SQLITE_CONSTRAINT/, '데이터베이스의 규칙에 맞지 않는 값이 있습니다'],
  [/no such (table|column)/, '마이그레이션이 적용되지 않았습니다'],
  [/no answer in time|timeout|timed out/i, '데이터베이스가 제때 응답하지 않았습니다'],
  [/D1_ERROR|SQLITE_/, '데이터베이스가 응답하지 않거나 거절했습니다'],
  [/\bR2\b|(put|get|delete|head|list): /, '파일 저장소가 응답하지 않거나 거절했습니다'],
];
