import { unseenTexts } from './alert-list.ts';
import { failureText } from './receivers.ts';

/** Why a scheduled task failed, in words; `failure` is as it stands in the database and in the log. */
export function taskFailureText(failure: string): string {
  const [, parts] = /the watch failed: (.*)$/.exec(failure) ?? [];
  if (parts !== undefined) return parts.split(', ').map(partText).join(', ');
  const [, hook] = /the webhook: (.*)$/.exec(failure) ?? [];
  if (hook !== undefined) return `운영자가 정한 주소에 알리지 못했습니다: ${failureText(hook)}`;
  return causes.find(([cause]) => cause.test(failure))?.[1] ?? '뜻밖의 오류입니다. 로그에 자세히 남았습니다';
}

const partText = (part: string) => Object.entries(unseenTexts).find(([known]) => known === part)?.[1] ?? part;

const causes: [cause: RegExp, text: string][] = [
  [/exceeded.*(daily|limit|quota)|quota/i, '요금제의 하루 한도를 다 썼습니다'],
  [/maximum DB size|SQLITE_FULL|database or disk is full/i, '데이터베이스가 가득 찼습니다'],
  [/SQLITE_CONSTRAINT/, '데이터베이스의 규칙에 맞지 않는 값이 있습니다'],
  [/no such (table|column)/, '마이그레이션이 적용되지 않았습니다'],
  [/no answer in time|timeout|timed out/i, '데이터베이스가 제때 응답하지 않았습니다'],
  [/D1_ERROR|SQLITE_/, '데이터베이스가 응답하지 않거나 거절했습니다'],
  [/\bR2\b|(put|get|delete|head|list): /, '파일 저장소가 응답하지 않거나 거절했습니다'],
];
