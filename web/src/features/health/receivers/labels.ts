import { deliveryFailureText, type Receiver, type ReceiverKind } from '#contract/receivers';
import { ageText, seoulDateTime } from '../../../lib/seoul-time.ts';

/** Where to find the address of each kind of receiver. */
export const receiverAddressHints: Record<ReceiverKind, string> = {
  slack: 'Slack 앱의 Incoming Webhooks에서 만든 주소입니다. Google Chat과 Mattermost의 주소도 됩니다.',
  discord: 'Discord의 채널 편집 → 연동 → 웹후크에서 복사한 주소입니다.',
  jandi: 'JANDI 토픽의 커넥트 → Incoming Webhook에서 만든 주소입니다.',
  telegram: 'https://api.telegram.org/bot토큰/sendMessage?chat_id=대화방 번호',
  json: '{"text": "…", "news": […]}를 POST로 받는 https 주소입니다.',
  mail: '받는 사람의 메일 주소입니다.',
};

/** The alerts that a receiver gets: `모든 화분 · 시스템`. A removed plant counts again once it returns. */
export function scopeText({ plants, absent, line }: Pick<Receiver, 'plants' | 'absent' | 'line'>): string {
  const named =
    plants === null ? '모든 화분' : [...plants, ...absent.map((topic) => `${topic}(삭제한 화분)`)].join(', ');
  return [named, line ? '시스템' : ''].filter((part) => part !== '').join(' · ') || '선택한 화분이 없음';
}

export const quietHoursText = ({ from, to }: NonNullable<Receiver['quiet']>) =>
  `${from}–${to}에는 모아 두었다가 알림`;

/** The state of a receiver in words. @param now milliseconds since 1970 */
export function receiverState(receiver: Receiver, now: number): { text: string; isBad: boolean } {
  const { failure, waiting, dropped, next_at, told_at, quiet } = receiver;
  const why = failure === null ? '' : deliveryFailureText(failure);
  if (failure !== null && waiting > 0) {
    const next = next_at === null ? '' : `, ${seoulDateTime(Date.parse(next_at)).slice(11, 16)}에 다시 시도`;
    return { text: `${why} · ${waiting}건 대기${next}`, isBad: true };
  }
  if (dropped > 0) {
    return {
      text: `${dropped}건을 알리지 못했습니다: ${why}. 시험 알림이 도착하면 남은 알림을 다시 보냅니다`,
      isBad: true,
    };
  }
  if (waiting > 0) {
    return { text: `${waiting}건을 ${quiet === null ? '곧' : '방해 금지 시간 뒤에'} 알립니다`, isBad: false };
  }
  return {
    text: told_at === null ? '발송한 알림이 없습니다' : `마지막 알림 ${ageText(Date.parse(told_at), now)}`,
    isBad: false,
  };
}
