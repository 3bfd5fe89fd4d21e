import { readVariables } from '#contract/variables';
import { openBroker } from './embedded-broker.ts';
import { EXIT_CONFIGURATION } from './exit-codes.ts';
import { brokerVariables } from './settings.ts';

/*
 * The embedded MQTT broker of the local run. When it is listening, it tells its parent and prints its port as a line of
 * JSON. MQTT_PORT 0 takes any free port.
 */

function complain(line: string): never {
  process.stderr.write(`broker: ${line}\n`);
  process.exit(EXIT_CONFIGURATION);
}

const read = readVariables(brokerVariables, process.env);
if ('problems' in read) complain(read.problems.join('; '));
const { MQTT_PORT: wanted } = read.values;

const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const { port } = await openBroker(wanted, (event, reason) => say({ level: 'warn', event, reason })).catch(
  (error: unknown) =>
    complain(`MQTT_PORT ${wanted} cannot be used: ${error instanceof Error ? error.message : String(error)}`),
);
// Sessions are in memory, so there is nothing to save.
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => undefined);
if (process.connected) process.on('disconnect', () => process.exit(0));

// This line comes last: a parent process that reads it may end this process.
say({ level: 'info', event: 'listening', port });
process.send?.('listening');
