import type { WebReceiverKind } from '#contract/receivers';
import type { Database } from '#db/client';
import { stackTrace, type Log } from '#http/log';
import type { Config } from '../lib/config.ts';
import { addressProblem } from './internal-address.ts';
import type { ReceiverWithAddress } from './data.ts';
import {
  messageFormats,
  type AlertMessage,
  messagePlainText,
  composeMessage,
  type MessageOptions,
} from './message.ts';
import {
  OPERATOR_RECEIVER_ID,
  readPlantsForMessages,
  recordDelivery,
  type Notification,
} from './outbox-data.ts';

/** Workers allow six connections at a time, and the database may need one of them. */
const SIDE_BY_SIDE = 5;

type Delivery = {
  plants: Database;
  /** The news taken from the outbox, and when it was taken. */
  news: readonly Notification[];
  claimedAt: number;
  addressees: readonly ReceiverWithAddress[];
  wording: MessageOptions;
  way: Channel;
  log: Log;
};

/** Sends each receiver its news from the outbox in one message; receivers that failed before come last. */
export async function deliverNotifications(
  db: Database,
  { plants, news, claimedAt, addressees, wording, way, log }: Delivery,
): Promise<void> {
  if (news.length === 0) return;
  const names = [...new Set(news.map(({ name }) => name))];
  const states = await readPlantsForMessages(plants, names).catch((error: unknown) => {
    // A message without names and percents is better than no message.
    log('error', 'plants_not_read', { error: stackTrace(error) });
    return null;
  });
  const newsOf = Map.groupBy(news, ({ receiver_id }) => receiver_id);
  const tries = ({ id }: ReceiverWithAddress) =>
    Math.min(...(newsOf.get(id) ?? []).map((each) => each.tries));
  const queue = addressees.filter(({ id }) => newsOf.has(id)).toSorted((a, b) => tries(a) - tries(b));
  const work = async () => {
    for (let to = queue.shift(); to !== undefined; to = queue.shift()) {
      const failure = await sendMessage(to, composeMessage(newsOf.get(to.id) ?? [], states, wording), way);
      await recordDelivery(db, to.id, claimedAt, failure);
      if (failure === undefined) log('info', 'alerts_told', { receiver: to.id });
      else log('warn', 'alerts_not_told', { receiver: to.id, failure });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}

const TIMEOUT_MS = 10_000;

export type Channel = Pick<Config, 'MAIL_FROM' | 'RECEIVERS_ON_LOOPBACK'> & { EMAIL: SendEmail | undefined };

/** @returns why the message was not accepted, without the address, which is secret; undefined on success */
export async function sendMessage(
  to: ReceiverWithAddress,
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
