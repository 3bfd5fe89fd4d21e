import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { plantTopic } from '#contract/plant-id';
import { MINUTE_MS } from '#contract/time';
import {
  parseMessage,
  decodeElements,
  type ParsedMessage,
  type DecodedMessage,
  type MqttMessage,
} from '../broker/decode.ts';
import {
  takeTokens,
  createTokenBucket,
  msUntilNextToken,
  spendTokens,
  refillBucket,
  type TokenBucket,
  type TokenDecision,
  type BoardLimits,
  type OverQuota,
  type BootClock,
  type QuotaChanges,
} from './quota.ts';

/** Messages with more elements are stored packed: unpacking them on receipt would take too long. */
const UNPACKED_MAX = 500;

/** The columns that store when a message was received: `received_at`, `epoch` and `uptime`. */
export type StampColumns = [receivedAt: number, epoch: string | null, uptime: number | null];

type Unpacked = {
  message: MqttMessage;
  /** The message's number; null if the message is a single reading. */
  number: number | null;
  decoded: DecodedMessage;
  stamp: StampColumns;
  /** Whether this is not the first part of the message. */
  /** Whether the message had to wait for its board's tokens. */
  continues: boolean;
  waited: boolean;
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

/** Bytes that a message needs on the disk besides its payload. */
const MESSAGE_BYTES = 100;
/** Payloads of this size or more are compressed: numbers in JSON shrink to a tenth and are written faster. */
const DEFLATED_FROM = 4096;

function stored(payload: Uint8Array): { payload: Uint8Array; deflated: 0 | 1 } {
  if (payload.byteLength < DEFLATED_FROM) return { payload, deflated: 0 };
  return { payload: deflateRawSync(payload, { level: 1 }), deflated: 1 };
}

const statementsIn = (db: DatabaseSync) => ({
  findAccount: db.prepare('SELECT * FROM quotas WHERE plant = ?'),
  saveAccount: db.prepare('INSERT OR REPLACE INTO quotas VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  add: db.prepare(
    `INSERT INTO waiting (number, plant, payload, deflated, retained, elements, is_over, received_at, epoch, uptime)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  findFirst: db.prepare('SELECT * FROM waiting WHERE plant = ? ORDER BY number LIMIT 1'),
  take: db.prepare('UPDATE waiting SET taken = ? WHERE number = ?'),
  remove: db.prepare('DELETE FROM waiting WHERE number = ?'),
  findBoards: db.prepare('SELECT plant FROM quotas WHERE packed > 0 OR is_over = 1 ORDER BY plant'),
  findStatus: db.prepare(
    `SELECT coalesce(sum(packed), 0) AS packed, coalesce(sum(unpaid), 0) AS unpaid,
       (SELECT min(coalesce(server_offset + uptime, received_at)) FROM waiting
        LEFT JOIN epochs ON epochs.epoch = waiting.epoch WHERE is_over = 0) AS oldestReceivedAt
     FROM quotas`,
  ),
  countAccounts: db.prepare('SELECT count(*) AS count FROM quotas'),
  removeFull: db.prepare(
    `DELETE FROM quotas WHERE packed = 0 AND is_over = 0
       AND tokens + iif(boot = ?, (? - uptime) * ? / 60000.0, 0) >= ?`,
  ),
});

/**
 * The boards' quotas and the messages that wait. A message waits if it has readings over the quota, or is too
 * large to be unpacked at once. Call `admit` and `unpack` in a transaction, then `save` (`forget` if it
 * failed).
 */
export class ThrottledMessages {
  readonly #sql: ReturnType<typeof statementsIn>;
  readonly #limits: BoardLimits & { boards: number };
  readonly #clock: BootClock;
  #forgotAt = -Infinity;
  readonly #openedAt: number;
  readonly #accounts = new Map<string, { account: TokenBucket; before: TokenBucket; isChanged: boolean }>();

  /** The number of accounts is at most this. They are counted once, and again before a board is refused. */
  #counted: number;
  #opening = 0;
  /** @param clock counts tokens by the uptime of this boot: while the machine is off, no tokens come back */
  constructor(db: DatabaseSync, limits: BoardLimits & { boards: number }, clock: BootClock) {
    this.#sql = statementsIn(db);
    this.#limits = limits;
    this.#clock = clock;
    this.#forgetFull();
    this.#openedAt = clock.uptime();
    this.#counted = this.#countAll();
  }

  /** Deletes accounts that have all their tokens, because a new account would be the same. */
  #forgetFull(): void {
    this.#forgotAt = this.#clock.uptime();
    this.#sql.removeFull.run(this.#clock.boot, this.#forgotAt, this.#limits.perMinute, this.#limits.burst);
  }

  #countAll(): number {
    return countSchema.parse(this.#sql.countAccounts.get()).count;
  }

  #isFull(): boolean {
    if (this.#counted + this.#opening < this.#limits.boards) return false;
    this.#counted = this.#countAll();
    return this.#counted + this.#opening >= this.#limits.boards;
  }

  /** Opens an account; null if there are too many boards. */
  #begin(now: number): TokenBucket | null {
    if (this.#isFull()) {
      if (this.#clock.uptime() - this.#forgotAt >= MINUTE_MS) this.#forgetFull();
      if (this.#isFull()) return null;
    }
    this.#opening += 1;
    return createTokenBucket(this.#limits, now);
  }

  #read(plant: string): TokenBucket | null {
    const now = this.#clock.uptime();
    const row = this.#sql.findAccount.get(plant);
    if (row === undefined) return this.#begin(now);
    const { boot, uptime, is_over, refused_messages, refused_readings, ...counts } = accountSchema.parse(row);
    const account = {
      ...counts,
      at: boot === this.#clock.boot ? uptime : this.#openedAt,
      isOver: is_over === 1,
      refusedMessages: refused_messages,
      refusedReadings: refused_readings,
    };
    refillBucket(account, this.#limits, now);
    return account;
  }

  #open(plant: string) {
    const known = this.#accounts.get(plant);
    if (known !== undefined) return known;
    const account = this.#read(plant);
    if (account === null) return null;
    const opened = { account, before: { ...account }, isChanged: false };
    this.#accounts.set(plant, opened);
    return opened;
  }

  #write(plant: string, account: TokenBucket): void {
    const { tokens, at, packed, unpaid, bytes, isOver, refusedMessages, refusedReadings } = account;
    const counts = [packed, unpaid, bytes, isOver ? 1 : 0, refusedMessages, refusedReadings];
    this.#sql.saveAccount.run(plant, tokens, this.#clock.boot, Math.floor(at), ...counts);
  }

  /**
   * Takes tokens from the message's board. If a reading gets no token, stores the message here or refuses it.
   * Also refuses it if there are too many boards.
   */
  admit(
    message: MqttMessage,
    { plant, elements }: ParsedMessage,
    number: () => number,
    stamp: StampColumns,
  ): TokenDecision | 'packed' {
    const opened = this.#open(plant);
    if (opened === null) return 'refused';
    const { account } = opened;
    opened.isChanged = true;
    const size = message.payload.byteLength + MESSAGE_BYTES;
    const admission = takeTokens(account, elements.length, size, this.#limits);
    const isPacked = admission === 'through' && elements.length > UNPACKED_MAX;
    if (admission === 'waits' || isPacked) {
      account.packed += elements.length;
      const waits = admission === 'waits' ? 1 : 0;
      const retained = message.retained ? 1 : 0;
      const { payload, deflated } = stored(message.payload);
      this.#sql.add.run(number(), plant, payload, deflated, retained, elements.length, waits, ...stamp);
    }
    return isPacked ? 'packed' : admission;
  }

  save(): QuotaChanges {
    const news: QuotaChanges = { over: [], within: [] };
    for (const [plant, { account, before, isChanged }] of this.#accounts) {
      if (isChanged) this.#write(plant, account);
      if (account.isOver && !before.isOver) news.over.push(plant);
      if (account.isOver || !before.isOver) continue;
      const { refusedMessages: refused_messages, refusedReadings: refused_readings } = before;
      news.within.push({ plant, refused_messages, refused_readings });
    }
    this.#counted += this.#opening;
    this.forget();
    return news;
  }

  forget(): void {
    this.#accounts.clear();
    this.#opening = 0;
  }

  /** The boards that have waiting messages or are over their quota. */
  boards(): string[] {
    return plantsSchema.parse(this.#sql.findBoards.all()).map(({ plant }) => plant);
  }

  /** Takes tokens for waiting readings. Unpacks at most `most` readings that have one, the oldest first. */
  *unpack(plant: string, most: number): Generator<Unpacked> {
    const opened = this.#open(plant);
    if (opened === null) return;
    const { account } = opened;
    const { isOver, packed, unpaid } = account;
    spendTokens(account, this.#limits);
    let room = Math.min(packed - account.unpaid, most);
    while (room > 0) {
      const row = waitingSchema.parse(this.#sql.findFirst.get(plant));
      const payload = row.deflated === 1 ? inflateRawSync(row.payload) : row.payload;
      const { number, elements, taken, received_at: receivedAt, epoch, uptime } = row;
      const to = Math.min(elements, taken + room);
      const message = {
        topic: plantTopic(plant, 'soil_moisture'),
        payload,
        retained: row.retained === 1,
        receivedAt,
      };
      const content = parseMessage(message);
      if (!('reason' in content)) {
        const decoded = decodeElements(content, message, taken, to);
        const stamp: StampColumns = [receivedAt, epoch, uptime];
        const own = content.isArray ? number : null;
        yield { message, number: own, decoded, stamp, continues: taken > 0, waited: row.is_over === 1 };
      }
      if (to < elements) this.#sql.take.run(to, number);
      else this.#sql.remove.run(number);
      account.packed -= to - taken;
      if (to === elements && row.is_over === 1) account.bytes -= payload.byteLength + MESSAGE_BYTES;
      room -= to - taken;
    }
    opened.isChanged ||= account.packed !== packed || account.unpaid !== unpaid || account.isOver !== isOver;
  }

  nextTokenIn(): number | null {
    const waits = this.boards().flatMap((plant) => {
      const account = this.#read(plant);
      return (account && msUntilNextToken(account, this.#limits)) ?? [];
    });
    return waits.length === 0 ? null : Math.min(...waits);
  }

  overQuota(): OverQuota[] {
    return this.boards().flatMap((plant) => {
      const account = this.#read(plant);
      if (account === null || !account.isOver) return [];
      return [{ plant, waiting: account.unpaid, refused: account.refusedReadings }];
    });
  }

  status(): { packed: number; unpaid: number; oldestReceivedAt: number | null } {
    return statusSchema.parse(this.#sql.findStatus.get());
  }
}
