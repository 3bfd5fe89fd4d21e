import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { plantTopic } from '#contract/plant-id';
import { MINUTE_MS } from '#contract/time';
import type { Clock } from '../clock.ts';
import { contentOf, decodeElements, type Content, type Decoded, type Message } from '../broker/decode.ts';
import {
  admit,
  newAccount,
  nextTokenIn,
  pay,
  refill,
  type Account,
  type Admission,
  type BoardLimits,
} from './quota.ts';

/** A board that is beyond its quota: how many of its readings wait for tokens, and how many were refused. */
export type OverQuota = { plant: string; waiting: number; refused: number };

/** Messages with more elements wait packed, so that taking one in never takes long. */
const UNPACKED_MAX = 500;

/** Stored columns of a receipt's stamp: `received_at`, `epoch` and `uptime`. */
export type Stamp = [receivedAt: number, epoch: string | null, uptime: number | null];

/** Part of a message that has waited. */
type Unpacked = {
  message: Message;
  /** Null when the message is a single reading. */
  number: number | null;
  decoded: Decoded;
  stamp: Stamp;
  /** Whether it is not the first part, and whether it came beyond its board's quota. */
  continues: boolean;
  waited: boolean;
};

/** Boards that went beyond their quota, and boards that came back within it, with what was refused in between. */
export type QuotaNews = { over: string[]; within: WithinQuotaAgain[] };
type WithinQuotaAgain = { plant: string; refused_messages: number; refused_readings: number };

/**
 * The boards' quotas, and the messages that wait: those with readings beyond a quota, and those too large to be
 * unpacked at once. `admit` and `unpack` are called within a transaction, which ends with `save`, or fails and is
 * followed by `forget`.
 */
export type Waiting = {
  /**
   * Charges the message's board. Unless it went through, the message is kept here, or refused; so is one of a board
   * beyond those for which there is room.
   */
  admit: (message: Message, content: Content, number: () => number, stamp: Stamp) => Admission | 'packed';
  /** Writes down how the boards stand after the transaction. */
  save: () => QuotaNews;
  forget: () => void;
  /** Boards of which something waits or that are over their quota. */
  boards: () => string[];
  /** Pays with the tokens that have come back, and unpacks at most so many of the paid readings, oldest first. */
  unpack: (plant: string, most: number) => Generator<Unpacked>;
  /** Milliseconds until the next reading that waits gets its token; null when none waits. */
  nextTokenIn: () => number | null;
  overQuota: () => OverQuota[];
  status: () => { packed: number; unpaid: number; oldestReceivedAt: number | null };
};

const accountSchema = z.object({
  tokens: z.number(),
  boot: z.string(),
  uptime: z.int(),
  packed: z.int(),
  unpaid: z.int(),
  bytes: z.int(),
  is_over: z.int(),
  refused_messages: z.int(),
  refused_readings: z.int(),
});
const countSchema = z.object({ count: z.int() });
const plantsSchema = z.array(z.object({ plant: z.string() }));
const waitingSchema = z.object({
  number: z.int(),
  deflated: z.int(),
  payload: z.instanceof(Uint8Array),
  retained: z.int(),
  elements: z.int(),
  taken: z.int(),
  is_over: z.int(),
  received_at: z.int(),
  epoch: z.string().nullable(),
  uptime: z.int().nullable(),
});
const statusSchema = z.object({
  packed: z.int(),
  unpaid: z.int(),
  oldestReceivedAt: z.int().nullable(),
});

/** What a message takes on the disk besides its payload. */
const MESSAGE_BYTES = 100;
/** Payloads from this size on are deflated: a tenth of what numbers in JSON take, and written all the sooner. */
const DEFLATED_FROM = 4096;

function stored(payload: Uint8Array): { payload: Uint8Array; deflated: 0 | 1 } {
  if (payload.byteLength < DEFLATED_FROM) return { payload, deflated: 0 };
  return { payload: deflateRawSync(payload, { level: 1 }), deflated: 1 };
}

/** @param clock counts the tokens, by the uptime of this boot: the time that a machine was off brings none */
export function waitingOf(
  db: DatabaseSync,
  limits: BoardLimits & { boards: number },
  clock: Pick<Clock, 'boot' | 'uptime'>,
): Waiting {
  const findAccount = db.prepare('SELECT * FROM quotas WHERE plant = ?');
  const saveAccount = db.prepare('INSERT OR REPLACE INTO quotas VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const add = db.prepare(
    `INSERT INTO waiting (number, plant, payload, deflated, retained, elements, is_over, received_at, epoch, uptime)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findFirst = db.prepare('SELECT * FROM waiting WHERE plant = ? ORDER BY number LIMIT 1');
  const take = db.prepare('UPDATE waiting SET taken = ? WHERE number = ?');
  const remove = db.prepare('DELETE FROM waiting WHERE number = ?');
  const findBoards = db.prepare('SELECT plant FROM quotas WHERE packed > 0 OR is_over = 1 ORDER BY plant');
  const findStatus = db.prepare(
    `SELECT coalesce(sum(packed), 0) AS packed, coalesce(sum(unpaid), 0) AS unpaid,
       (SELECT min(coalesce(server_offset + uptime, received_at)) FROM waiting
        LEFT JOIN epochs ON epochs.epoch = waiting.epoch WHERE is_over = 0) AS oldestReceivedAt
     FROM quotas`,
  );
  const countAccounts = db.prepare('SELECT count(*) AS count FROM quotas');
  const removeFull = db.prepare(
    `DELETE FROM quotas WHERE packed = 0 AND is_over = 0
       AND tokens + iif(boot = ?, (? - uptime) * ? / 60000.0, 0) >= ?`,
  );
  let forgotAt = -Infinity;
  /** A full bucket need not be remembered. */
  function forgetFull(): void {
    forgotAt = clock.uptime();
    removeFull.run(clock.boot, forgotAt, limits.perMinute, limits.burst);
  }
  forgetFull();
  const openedAt = clock.uptime();
  /** The boards of the transaction under way. */
  const accounts = new Map<string, { account: Account; before: Account; isChanged: boolean }>();

  const countAll = () => countSchema.parse(countAccounts.get()).count;
  /** At least as many accounts as there are: counted once, and again before a board is refused. */
  let counted = countAll();
  /** Accounts that the transaction under way has opened. */
  let opening = 0;
  function isFull(): boolean {
    if (counted + opening < limits.boards) return false;
    counted = countAll();
    return counted + opening >= limits.boards;
  }

  /** Null for a board beyond as many as there may be plants. */
  function begin(now: number): Account | null {
    if (isFull()) {
      if (clock.uptime() - forgotAt >= MINUTE_MS) forgetFull();
      if (isFull()) return null;
    }
    opening += 1;
    return newAccount(limits, now);
  }

  function read(plant: string): Account | null {
    const now = clock.uptime();
    const row = findAccount.get(plant);
    if (row === undefined) return begin(now);
    const { boot, uptime, is_over, refused_messages, refused_readings, ...counts } = accountSchema.parse(row);
    const account = {
      ...counts,
      at: boot === clock.boot ? uptime : openedAt,
      isOver: is_over === 1,
      refusedMessages: refused_messages,
      refusedReadings: refused_readings,
    };
    refill(account, limits, now);
    return account;
  }

  function open(plant: string) {
    const known = accounts.get(plant);
    if (known !== undefined) return known;
    const account = read(plant);
    if (account === null) return null;
    const opened = { account, before: { ...account }, isChanged: false };
    accounts.set(plant, opened);
    return opened;
  }

  function clear(): void {
    accounts.clear();
    opening = 0;
  }

  function write(plant: string, account: Account): void {
    const { tokens, at, packed, unpaid, bytes, isOver, refusedMessages, refusedReadings } = account;
    const counts = [packed, unpaid, bytes, isOver ? 1 : 0, refusedMessages, refusedReadings];
    saveAccount.run(plant, tokens, clock.boot, Math.floor(at), ...counts);
  }

  return {
    admit: (message, { plant, elements }, number, stamp) => {
      const opened = open(plant);
      if (opened === null) return 'refused';
      const { account } = opened;
      opened.isChanged = true;
      const size = message.payload.byteLength + MESSAGE_BYTES;
      const admission = admit(account, elements.length, size, limits);
      const isPacked = admission === 'through' && elements.length > UNPACKED_MAX;
      if (admission === 'waits' || isPacked) {
        account.packed += elements.length;
        const waits = admission === 'waits' ? 1 : 0;
        const retained = message.retained ? 1 : 0;
        const { payload, deflated } = stored(message.payload);
        add.run(number(), plant, payload, deflated, retained, elements.length, waits, ...stamp);
      }
      return isPacked ? 'packed' : admission;
    },
    save: () => {
      const news: QuotaNews = { over: [], within: [] };
      for (const [plant, { account, before, isChanged }] of accounts) {
        if (isChanged) write(plant, account);
        if (account.isOver && !before.isOver) news.over.push(plant);
        if (account.isOver || !before.isOver) continue;
        const { refusedMessages: refused_messages, refusedReadings: refused_readings } = before;
        news.within.push({ plant, refused_messages, refused_readings });
      }
      counted += opening;
      clear();
      return news;
    },
    forget: clear,
    boards: () => plantsSchema.parse(findBoards.all()).map(({ plant }) => plant),
    unpack: function* (plant, most) {
      const opened = open(plant);
      if (opened === null) return;
      const { account } = opened;
      const { isOver, packed, unpaid } = account;
      pay(account, limits);
      let room = Math.min(packed - account.unpaid, most);
      while (room > 0) {
        const row = waitingSchema.parse(findFirst.get(plant));
        const payload = row.deflated === 1 ? inflateRawSync(row.payload) : row.payload;
        const { number, elements, taken, received_at: receivedAt, epoch, uptime } = row;
        const to = Math.min(elements, taken + room);
        const message = {
          topic: plantTopic(plant, 'soil_moisture'),
          payload,
          retained: row.retained === 1,
          receivedAt,
        };
        const content = contentOf(message);
        if (!('reason' in content)) {
          const decoded = decodeElements(content, message, taken, to);
          const stamp: Stamp = [receivedAt, epoch, uptime];
          const own = content.isArray ? number : null;
          yield { message, number: own, decoded, stamp, continues: taken > 0, waited: row.is_over === 1 };
        }
        if (to < elements) take.run(to, number);
        else remove.run(number);
        account.packed -= to - taken;
        if (to === elements && row.is_over === 1) account.bytes -= payload.byteLength + MESSAGE_BYTES;
        room -= to - taken;
      }
      opened.isChanged ||=
        account.packed !== packed || account.unpaid !== unpaid || account.isOver !== isOver;
    },
    nextTokenIn: () => {
      const waits = plantsSchema.parse(findBoards.all()).flatMap(({ plant }) => {
        const account = read(plant);
        return (account && nextTokenIn(account, limits)) ?? [];
      });
      return waits.length === 0 ? null : Math.min(...waits);
    },
    overQuota: () =>
      plantsSchema.parse(findBoards.all()).flatMap(({ plant }) => {
        const account = read(plant);
        if (account === null || !account.isOver) return [];
        return [{ plant, waiting: account.unpaid, refused: account.refusedReadings }];
      }),
    status: () => statusSchema.parse(findStatus.get()),
  };
}
