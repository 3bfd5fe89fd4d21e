/**
 * A process that publishes numbered readings with QoS 1, for the benchmark.
 * Arguments: plant, how many, most in flight, a second (0: as fast as it goes), `now` or `late` for readings of months ago,
 * and how many of its last readings it repeats after a reconnect. It reaches the broker by MQTT_URL, MQTT_CA_FILE,
 * MQTT_USERNAME and MQTT_PASSWORD.
 * Prints the instant of the first publish and that of the last acknowledgement, in milliseconds since 1970.
 */
import { connectBoardAndWait, publishNumbered } from '../../../local/boards/publisher.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';

const [plant = '', count = '', inFlight = '', rate = '0', when, repeats = '0'] = process.argv.slice(2);
const board = await connectBoardAndWait(process.env, { protocolVersion: 5 });
const clock = () => performance.timeOrigin + performance.now();
const publisher = publishNumbered(board, [plant], seededRandom(1), {
  repeats: Number(repeats),
  ...(when === 'late' ? {} : { measuredAt: () => Date.now() }),
});
const began = clock();
await publisher.publish(Number(count), {
  inFlight: Number(inFlight),
  ...(rate === '0' ? {} : { aSecond: Number(rate) }),
});
process.stdout.write(`${JSON.stringify({ began, acknowledged: clock() })}\n`);
await board.endAsync();
