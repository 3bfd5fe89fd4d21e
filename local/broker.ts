/**
 * The embedded MQTT broker of the local run, and the process that is it: its argument is the port, 0 for any free one. When it
 * is listening, it tells its parent and prints its port as a line of JSON.
 */
import { createServer, type Socket } from 'node:net';
import { Aedes, type AedesPublishPacket, type Client } from 'aedes';
import { EXIT_CONFIG } from '../firmware-bridge/src/config.ts';

type EmbeddedBroker = {
  port: number;
  /** Ends every connection at once and forgets every session. */
  close: () => Promise<void>;
};

/**
 * The MQTT broker of the local run: MQTT 3.1.1, loopback only, anonymous clients with any id, sessions in memory.
 * @param wanted its port, 0 for any free one
 * @param tell takes what clients did wrong
 * @throws Error when it cannot listen there
 */
export async function openBroker(
  wanted: number,
  tell: (event: string, reason: string) => void,
): Promise<EmbeddedBroker> {
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
  // Without listeners, one misbehaving client would end the process.
  broker.on('clientError', (_client, error) => tell('client_error', error.message));
  broker.on('connectionError', (_client, error) => tell('connection_error', error.message));

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : wanted,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}

async function run(wanted: number): Promise<void> {
  const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const { port } = await openBroker(wanted, (event, reason) => say({ level: 'warn', event, reason })).catch(
    (error: unknown) => {
      process.stderr.write(
        `broker: MQTT_PORT ${wanted} cannot be used: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return process.exit(EXIT_CONFIG);
    },
  );
  // Sessions are in memory, so there is nothing to save.
  process.on('SIGTERM', () => process.exit(0));
  process.on('SIGINT', () => undefined);
  if (process.connected) process.on('disconnect', () => process.exit(0));

  // This line comes last: a parent process that reads it may end this process.
  say({ level: 'info', event: 'listening', port });
  process.send?.('listening');
}

if (import.meta.main) await run(Number(process.argv[2]));
