import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { MqttMessage } from '../../firmware-bridge/src/broker/decode.ts';
import { SpoolError } from '../../firmware-bridge/src/spool/state.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { freshFolder } from './support/processes.ts';

// The spies also work for modules that other test files have loaded.
function watched<Name extends 'closeSync' | 'fdatasyncSync'>(name: Name) {
  const spy = vi.spyOn(fs, name);
  syncBuiltinESMExports();
  return spy;
}
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const message: MqttMessage = {
  topic: 'lab/plants/fern/soil_moisture',
  payload: Buffer.from('512'),
  retained: false,
  receivedAt: Date.UTC(2026, 2, 2),
  stampedBy: { boot: 'boot', epoch: 'epoch', uptime: 1 },
  delivery: { packetId: 1, repeated: false },
};

test('ING-3 what the spool takes in is on the disk when it returns, or it fails; what has left need not be', () => {
  const spool = openSpool(join(freshFolder(), 'spool.sqlite'));
  const sync = watched('fdatasyncSync');
  const close = watched('closeSync');
  const writes = {
    commit: () => spool.commit([message]),
    learnTime: () => spool.learnTime('boot', 5),
    forgetDeliveries: () => spool.forgetDeliveries(),
  };
  for (const [name, write] of Object.entries(writes)) {
    sync.mockClear();
    write();
    expect(sync, name).toHaveBeenCalledOnce();
  }
  // No sync: after a power failure the readings are sent again, and the worker recognizes them.
  sync.mockClear();
  spool.settle(spool.oldest(1, Date.now()), [], 0);
  expect(sync).not.toHaveBeenCalled();
  sync.mockImplementationOnce(() => {
    throw Object.assign(new Error('EIO'), { syscall: 'fdatasync', code: 'EIO' });
  });
  expect(() => spool.commit([message])).toThrow(SpoolError);
  // The broker sends the message again, because it was not acknowledged.
  const again = { ...message, delivery: { packetId: 1, repeated: true } };
  expect(spool.commit([again]).outcomes).toEqual(['repeat']);
  spool.close();
  expect(close).toHaveBeenCalled();
});
