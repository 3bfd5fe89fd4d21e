/**
 * Runs the local run's MQTT broker as a process. Arguments: the port (0 for any free port) and, with `--lan`,
 * the port for boards and the folder with their passwords. When the broker listens, the process sends its
 * parent a message and prints the port as a line of JSON.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type AedesOptions, type AedesPublishPacket, type Client } from 'aedes';
import { boardTopics, isPasswordOf } from '../firmware-bridge/src/commands/mosquitto-users.ts';
import { EXIT_CONFIG } from '../firmware-bridge/src/config.ts';
import { passwordFileIn, pemFileIn, type LanSettings } from './lan.ts';

type EmbeddedBroker = {
  port: number;
  /** Ends all connections at once, and forgets all sessions. */
  close: () => Promise<void>;
};

type BoardDoor = Pick<LanSettings, 'port' | 'folder'>;

/** Maximum bytes that a client from the network may send before it has signed in. */
const UNKNOWN_MAX = 16 * 1024;
/** Maximum connections per address, as in firmware-bridge/mosquitto/connections.nft. */
const PER_ADDRESS = 32;
const HANDSHAKE_MS = 10_000;

/** Boards from the network need a password and have the rights of firmware-bridge/mosquitto/acl. */
function boardRules(ofNetwork: WeakSet<Duplex>, { folder }: BoardDoor) {
  const isBoard = (client: Client | null) => client !== null && ofNetwork.has(client.conn);
  return {
    preConnect: (client, packet, done) => {
      // Otherwise a board could use the client id of another board and take over that board's session.
      if (isBoard(client)) packet.clientId = packet.username ?? '';
      done(null, true);
    },
    authenticate: (client, user = '', password = Buffer.of(), done) => {
      done(null, !isBoard(client) || isPasswordOf(passwordFileIn(folder), user, password.toString()));
    },
    authorizePublish: (client, { topic }, done) => {
      const may = !isBoard(client) || boardTopics(client?.id ?? '').includes(topic);
      done(may ? null : new Error(`${client?.id} may not publish to ${topic}`));
    },
    authorizeSubscribe: (client, subscription, done) => done(null, isBoard(client) ? null : subscription),
  } satisfies AedesOptions;
}

/** @throws Error if the server cannot listen at this address */
function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/**
 * The MQTT broker of the local run: MQTT 3.1.1, sessions in memory, clients on loopback without passwords.
 * @param wanted its port; 0 for any free port
 * @param tell is called with errors of clients
 * @param door where boards from the network connect
 * @throws Error if the broker cannot listen there
 */
export async function openBroker(
  wanted: number,
  tell: (event: string, reason: string, by?: Partial<Record<'user' | 'address', string | undefined>>) => void,
  door?: BoardDoor,
): Promise<EmbeddedBroker> {
  /** By client id: messages that were sent to a persistent session and are not acknowledged yet. */
  const underway = new Map<string, Set<number>>();

  /**
   * Sets DUP on messages that are sent again, as MQTT 3.1.1 (3.3.1.1) requires; Aedes does not. Without DUP,
   * a receiver that was killed before its acknowledgement would take such a message for a new one.
   */
  function markRepetition(client: Client, packet: AedesPublishPacket): AedesPublishPacket {
    if (packet.qos === 0 || client.clean) return packet;
    const sent = underway.get(client.id) ?? new Set();
    underway.set(client.id, sent);
    if (sent.has(packet.brokerCounter)) packet.dup = true;
    sent.add(packet.brokerCounter);
    return packet;
  }

  const ofNetwork = new WeakSet<Duplex>();
  const broker = await Aedes.createBroker({
    authorizeForward: markRepetition,
    ...(door && boardRules(ofNetwork, door)),
  });
  broker.on('ack', (packet, client) => {
    // Aedes also reports acknowledgements of messages that it never sent. They have no packet.
    if (!packet || !('brokerCounter' in packet)) return;
    if (typeof packet.brokerCounter === 'number') underway.get(client.id)?.delete(packet.brokerCounter);
  });
  // Without these listeners, an error of one client would end the process. The log has the client's name and
  // address, so that an operator can find the board.
  const by = ({ id, conn }: Client) => ({ user: id, address: addresses.get(conn) });
  broker.on('clientError', (client, error) => tell('client_error', error.message, by(client)));
  broker.on('connectionError', (client, error) => tell('connection_error', error.message, by(client)));

  const sockets = new Set<Socket>();
  /** By socket: its address, because a socket that is closed has no address any more. */
  const addresses = new WeakMap<Duplex, string | undefined>();
  const handle = (socket: Socket) => {
    sockets.add(socket);
    addresses.set(socket, socket.remoteAddress);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  };
  const known = new WeakSet<Duplex>();
  broker.on('client', ({ conn }) => known.add(conn));
  /** Limits what a client sends before it signs in: Aedes would store a packet of any size in memory. */
  const bound = (socket: Socket) => {
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += known.has(socket) ? 0 : chunk.length;
      if (bytes > UNKNOWN_MAX) socket.destroy(new Error('too much was sent before the sign-in'));
    });
  };
  const server = createServer(handle);
  await listening(server, wanted, '127.0.0.1');
  if (door) {
    const pem = readFileSync(pemFileIn(door.folder));
    const options = { key: pem, cert: pem, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } as const;
    const tls = createTlsServer(options, (socket) => {
      ofNetwork.add(socket);
      bound(socket);
      handle(socket);
    });
    const open = new Map<string, number>();
    tls.on('connection', (socket) => {
      const { remoteAddress = '' } = socket;
      const count = (more: number) => {
        const now = (open.get(remoteAddress) ?? 0) + more;
        if (now === 0) open.delete(remoteAddress);
        else open.set(remoteAddress, now);
        return now;
      };
      socket.once('close', () => count(-1));
      if (count(1) > PER_ADDRESS) socket.destroy();
    });
    tls.on('tlsClientError', (error, { remoteAddress: address }) =>
      tell('tls_error', error.message, { address }),
    );
    await listening(tls, door.port, '0.0.0.0');
    server.on('close', () => tls.close());
  }
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

async function run(wanted: number, door?: BoardDoor): Promise<void> {
  const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const tell: Parameters<typeof openBroker>[1] = (event, reason, by) =>
    say({ level: 'warn', event, reason, ...by });
  const { port } = await openBroker(wanted, tell, door).catch((error: unknown) => {
    process.stderr.write(
      `broker: MQTT_PORT ${wanted} cannot be used: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return process.exit(EXIT_CONFIG);
  });
  // Sessions are only in memory, so there is nothing to save.
  process.on('SIGTERM', () => process.exit(0));
  process.on('SIGINT', () => undefined);
  if (process.connected) process.on('disconnect', () => process.exit(0));

  // Print this line last: a parent process that has read it may end this process.
  say({ level: 'info', event: 'listening', port });
  process.send?.('listening');
}

const [wanted, boardPort, folder] = process.argv.slice(2);
if (import.meta.main)
  await run(Number(wanted), folder === undefined ? undefined : { port: Number(boardPort), folder });
