/**
 * A process that is the boards of many groups, each group on a connection of its own, with as many readings a second as it is told.
 * Arguments: file with their access, readings a second, seconds, number of the first reading, SQLite file for what the
 * broker acknowledged. Prints the instants of the first publish and of the last acknowledgement.
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { connectedBoard } from '../../../local/boards/connect.ts';
import { FIRMWARE_REPEATS, publishNumbered } from '../../../local/boards/publisher.ts';
import { seeded } from '../../../local/boards/seeded.ts';

/** Of a group; far more than are under way while the broker answers. */
const IN_FLIGHT = 500;

const groupsSchema = z.array(
  z.object({
    access: z.object({
      MQTT_URL: z.string(),
      MQTT_CA_FILE: z.string(),
      MQTT_USERNAME: z.string(),
      MQTT_PASSWORD: z.string(),
    }),
    plants: z.array(z.string()),
  }),
);
const [file = '', rate = '', seconds = '', first = '', book = ''] = process.argv.slice(2);
const groups = groupsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const aSecond = Number(rate) / groups.length;
const count = Math.floor(aSecond * Number(seconds));
const boards = await Promise.all(
  groups.map(async ({ access, plants }, at) => {
    const client = await connectedBoard(access, { protocolVersion: 5 });
    const publisher = publishNumbered(client, plants, seeded(at), {
      repeats: FIRMWARE_REPEATS,
      measuredAt: () => Date.now(),
      first: Number(first),
    });
    return { client, publisher, lateMs: (at / groups.length) * (1000 / aSecond) };
  }),
);
const began = Date.now();
await Promise.all(
  boards.map(async ({ publisher, lateMs }) => {
    await wait(lateMs);
    await publisher.publish(count, { inFlight: IN_FLIGHT, aSecond });
  }),
);
const ended = Date.now();
await Promise.all(boards.map(({ client }) => client.endAsync()));
const db = new DatabaseSync(book);
db.exec(
  'CREATE TABLE IF NOT EXISTS acknowledged (plant TEXT, seq INTEGER, PRIMARY KEY (plant, seq)) STRICT; BEGIN',
);
const note = db.prepare('INSERT INTO acknowledged VALUES (?, ?)');
for (const { publisher } of boards) {
  for (const reading of publisher.acknowledged) {
    const [plant = '', seq] = reading.split(' ');
    note.run(plant, Number(seq));
  }
}
db.exec('COMMIT');
db.close();
console.log(JSON.stringify({ began, ended }));
