import type { WebReceiverKind } from '#contract/receivers';
import type { Config } from '../lib/config.ts';
import { addressProblem } from './internal-address.ts';
import type { Addressee } from './data.ts';
import { messageFormats, type AlertMessage, messagePlainText } from './message.ts';
import { OPERATOR_RECEIVER_ID } from './outbox-data.ts';

const TIMEOUT_MS = 10_000;

export type Channel = Pick<Config, 'MAIL_FROM' | 'RECEIVERS_ON_LOOPBACK'> & { EMAIL: SendEmail | undefined };

/** @returns why the message was not accepted, without the address, which is secret; undefined on success */
export async function sendMessage(
  to: Addressee,
  message: AlertMessage,
  way: Channel,
): Promise<string | undefined> {
  if (to.kind === 'mail') return await sendMail(to.address, message, way);
  // A restored backup may hold addresses forbidden here. The operator's own address is always allowed.
  const isAllowed =
    to.id === OPERATOR_RECEIVER_ID ||
    addressProblem(to.kind, to.address, way.RECEIVERS_ON_LOOPBACK) === undefined;
  return isAllowed ? await post(to.kind, new URL(to.address), message) : 'not allowed';
}

async function post(kind: WebReceiverKind, address: URL, message: AlertMessage): Promise<string | undefined> {
  const { headers, body } = messageFormats[kind];
  return await fetchWithoutRedirect(address.href, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body(message, address)),
  });
}

/** Never follows a redirect, because a redirect would let the receiver choose where the server writes. */
export async function fetchWithoutRedirect(url: string, init: RequestInit): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    return answer.ok ? undefined : `answered ${answer.status}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'too late' : 'no answer';
  }
}

async function sendMail(
  to: string,
  { title, lines, link, news }: AlertMessage,
  { MAIL_FROM, EMAIL }: Channel,
): Promise<string | undefined> {
  if (MAIL_FROM === undefined || EMAIL === undefined) return 'no sender';
  try {
    await EMAIL.send({
      from: { name: '화분 알림', email: MAIL_FROM },
      to,
      subject: news.length > 1 ? title : (lines[0] ?? title),
      text: messagePlainText({ title, lines, link, isOver: false, news: [] }),
    });
    return undefined;
  } catch {
    return 'mail refused';
  }
}
