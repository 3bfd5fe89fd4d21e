import type { Database } from '#db/client';
import { bridgeHeartbeats } from '#db/plants';
import { gt } from 'drizzle-orm';

/** What the bridges said last, as far as it still holds at `now` (milliseconds). */
export async function livingBridges(db: Database, now: number): Promise<{ brokerConnected: boolean }[]> {
  return await db
    .select({ brokerConnected: bridgeHeartbeats.brokerConnected })
    .from(bridgeHeartbeats)
    .where(gt(bridgeHeartbeats.validUntil, now));
}
