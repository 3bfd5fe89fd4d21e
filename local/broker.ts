import { createServer } from 'node:net';
import { Aedes, type AedesPublishPacket, type Client } from 'aedes';
import { readVariables } from '#contract/variables';
import { EXIT_CONFIGURATION } from './exit-codes.ts';
import { brokerVariables } from './settings.ts';

/*
 * The embedded MQTT broker of the local run: MQTT 3.1.1, loopback only, anonymous clients with any id, sessions in
 * memory. When it is listening, it tells its parent and prints its port as a line of JSON. MQTT_PORT 0 takes any free
 * port.
 */

function complain(line: string): never {
  process.stderr.write(`broker: ${line}\n`);
  process.exit(EXIT_CONFIGURATION);
}

const read = readVariables(brokerVariables, process.env);
if ('problems' in read) complain(read.problems.join('; '));
const { MQTT_PORT: wanted } = read.values;

/** Messages sent to persistent sessions and not yet acknowledged, by client id. */
const underway = new Map<string, Set<number>>();

/**
 * Sets DUP on redelivered messages, which MQTT 3.1.1 (3.3.1.1) requires and Aedes omits: without it a receiver that
 * died before acknowledging cannot tell a redelivery from a new message.
 */
function markRepetition(client: Client, packet: AedesPublishPacket): AedesPublishPacket {
  if (packet.qos === 0 || client.clean) return packet;
  const sent = underway.get(client.id) ?? new Set();
  underway.set(client.id, sent);
  if (sent.has(packet.brokerCounter)) packet.dup = true;
  sent.add(packet.brokerCounter);
  return packet;
}

const broker = await Aedes.createBroker({ authorizeForward: markRepetition });
broker.on('ack', (packet, client) => {
  // Aedes also reports acknowledgements of messages it never sent; those have no packet.
  if (!packet || !('brokerCounter' in packet)) return;
  if (typeof packet.brokerCounter === 'number') underway.get(client.id)?.delete(packet.brokerCounter);
});
const report = (event: string) => (_client: unknown, error: Error) => {
  process.stdout.write(`${JSON.stringify({ level: 'warn', event, reason: error.message })}\n`);
};
// Without listeners, one misbehaving client would end the process.
broker.on('clientError', report('client_error'));
broker.on('connectionError', report('connection_error'));

const server = createServer((socket) => {
  broker.handle(socket);
});
server.on('error', (error) => complain(`MQTT_PORT ${wanted} cannot be used: ${error.message}`));
server.listen(wanted, '127.0.0.1', () => {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : null;
  process.stdout.write(`${JSON.stringify({ level: 'info', event: 'listening', port })}\n`);
  process.send?.('listening');
});

// Sessions are in memory, so there is nothing to save.
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => undefined);
if (process.connected) process.on('disconnect', () => process.exit(0));
