import { measurementIssue, measurementSchema } from '#contract/readings';
import { moisturePercent } from '#contract/moisture/percent';
import { seoulDateTime } from '../../lib/seoul-time.ts';

/** Whether the bridge accepts a board's message. `text` explains the result in the protocol page's words. */
export type MessageVerdict = { isAccepted: boolean; text: string };

/** Returns a verdict for each reading in the message, or a single verdict for the whole message. */
export function checkMessage(message: string): MessageVerdict[] {
  let sent: unknown;
  try {
    sent = JSON.parse(message);
  } catch {
    return [refused('정수도 JSON도 아닙니다.')];
  }
  if (!Array.isArray(sent)) return [judge(sent)];
  return sent.length === 0 ? [refused('값이 없습니다.')] : sent.map(judge);
}

function judge(sent: unknown): MessageVerdict {
  const { data, error } = measurementSchema.safeParse(sent);
  if (error) {
    const issue = measurementIssue(sent, error);
    return refused(reasonOf(issue?.code, String(issue?.path[0] ?? ''), sent));
  }
  const percent = moisturePercent(data.soil_moisture).toFixed(1);
  const time = data.datetime === undefined ? '받은 시각' : seoulDateTime(Date.parse(data.datetime));
  return { isAccepted: true, text: `수분 ${percent}%, ${time}` };
}

function reasonOf(code: string | undefined, field: string, sent: unknown): string {
  if (code === 'unrecognized_keys') return '모르는 필드가 있습니다.';
  if (field === 'datetime') return 'datetime에 시간대가 없거나 받는 표기가 아닙니다.';
  if (field === 'seq') return 'seq가 정수가 아닙니다.';
  if (code === 'too_big' || code === 'too_small') return '범위를 벗어났습니다.';
  const value = typeof sent === 'object' && sent !== null && field in sent ? Reflect.get(sent, field) : sent;
  return typeof value === 'number' ? '정수가 아닙니다.' : '숫자가 아닙니다.';
}

const refused = (text: string): MessageVerdict => ({ isAccepted: false, text });
