import { screenLevels } from '#contract/access-levels';
import {
  deliveryFailureText,
  RECEIVERS_MAX,
  receiverSchema,
  type Receiver,
  type ReceiverTest,
} from '#contract/receivers';
import { Hono } from 'hono';
import { ApiError } from '#http/api-error';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { readConfig } from '../lib/config.ts';
import { nullOnFailure } from '#http/log';
import { limitBody, parseRowId, jsonBody } from '../lib/validate.ts';
import { namesByTopic } from '../plants/states-data.ts';
import { requireLevel } from '../session/require-level.ts';
import { addressProblem, INTERNAL_ADDRESS_REFUSED, resolvesToInternal } from './internal-address.ts';
import { addReceiver, findReceiver, listReceivers, removeReceiver } from './data.ts';
import { testMessage, messageOptionsOf } from './message.ts';
import { scheduleRetry } from './outbox-data.ts';
import { sendMessage } from './send.ts';

const unknownReceiver = () => new ApiError(404, { message: '알림 수신처를 찾을 수 없습니다' });

const guard = requireLevel(screenLevels.health);

export const receivers = new Hono<AppEnv>()
  .get('/', guard, async (c) => {
    const names = await nullOnFailure(namesByTopic(c.var.plants), c.var.log);
    return c.json<Receiver[]>(await listReceivers(c.var.db, names));
  })

  .post('/', guard, jsonBody(receiverSchema), async (c) => {
    const { db } = c.var;
    const { plants, ...receiver } = c.req.valid('json');
    const { kind, address } = receiver;
    const { RECEIVERS_ON_LOOPBACK, MAIL_FROM } = readConfig(c.env);
    const message =
      addressProblem(kind, address, RECEIVERS_ON_LOOPBACK) ??
      (kind !== 'mail' && !RECEIVERS_ON_LOOPBACK && (await resolvesToInternal(address))
        ? INTERNAL_ADDRESS_REFUSED
        : undefined);
    if (message !== undefined) throw new ApiError(400, { message, field: 'address' });
    if (kind === 'mail' && MAIL_FROM === undefined)
      throw new ApiError(400, { message: deliveryFailureText('no sender'), field: 'kind' });
    const names = plants === null ? [] : await namesByTopic(c.var.plants);
    const topicOf = new Map(Array.from(names, ([topic, name]) => [name, topic]));
    const unknown = plants?.find((name) => !topicOf.has(name));
    if (unknown !== undefined)
      throw new ApiError(400, { message: `화분 ${unknown} 항목을 찾을 수 없습니다`, field: 'plants' });
    const topics = plants && plants.flatMap((name) => topicOf.get(name) ?? []);
    const id = await addReceiver(db, actorOf(c), receiver, topics);
    if (id === undefined) throw new ApiError(409, { message: `${RECEIVERS_MAX}곳까지 등록할 수 있습니다` });
    return c.json({ id }, 201);
  })

  .delete('/:id', guard, async (c) => {
    if (!(await removeReceiver(c.var.db, actorOf(c), parseRowId(c.req.param('id'))))) throw unknownReceiver();
    return c.json({ ok: true });
  })

  .post('/:id/test', guard, limitBody(), async (c) => {
    const { db } = c.var;
    const receiver = await findReceiver(db, actorOf(c), parseRowId(c.req.param('id')));
    if (!receiver) throw unknownReceiver();
    const config = readConfig(c.env);
    const failure = await sendMessage(receiver, testMessage(messageOptionsOf(config)), {
      ...config,
      EMAIL: c.env.EMAIL,
    });
    if (failure === undefined) await scheduleRetry(db, receiver.id);
    return c.json<ReceiverTest>({ ok: failure === undefined, failure: failure ?? null });
  });
