import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePorts } from '../../support/ports.ts';
import type { Broker } from '../support/brokers.ts';
import { freshFolder, start, until, type Started } from '../support/processes.ts';

/** Debian's package; Erlang's port mapper comes with it. */
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const PORT_MAPPER = '/usr/bin/epmd';
export const hasRabbitmq = existsSync(SERVER);

/** A node takes some ten seconds. */
const READY_WITHIN_MS = 120_000;

export type Cluster = {
  /** The address in front of the nodes, as a load balancer has one: whoever connects gets the next node that answers. */
  front: Pick<Broker, 'url' | 'bridgeEnv' | 'version'>;
  /** Ends a node at once, its connections with it. */
  kill: (node: number) => Promise<void>;
  /** Starts it again on its own disk. */
  revive: (node: number) => Promise<void>;
};

/** Three RabbitMQ nodes on loopback whose MQTT sessions keep what waits on a majority of them. */
export async function startCluster(): Promise<Cluster> {
  const folder = freshFolder();
  const [mapper = 0, ...ports] = await freePorts(7);
  const mqttPorts = ports.slice(0, 3);
  writeFileSync(join(folder, '.erlang.cookie'), 'acookieofthistestalone', { mode: 0o400 });
  start(PORT_MAPPER, ['-port', String(mapper), '-address', '127.0.0.1']);
  const nodes = mqttPorts.map((port, node) => place(folder, node, port));
  const run = (node: number) =>
    start(SERVER, [], {
      ...nodes[node],
      HOME: folder,
      ERL_EPMD_PORT: String(mapper),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_DIST_PORT: String(ports[3 + node]),
      // The script becomes the node itself, so that killing it kills the node.
      RUNNING_UNDER_SYSTEMD: 'true',
    });
  const processes: Started[] = [];
  // One after the other: nodes that start at once may each elect themselves to keep track of MQTT's client ids.
  for (const [node, port] of mqttPorts.entries()) {
    processes[node] = run(node);
    await answers(port, processes[node]);
  }
  const url = `mqtt://127.0.0.1:${await startFront(mqttPorts)}`;
  return {
    front: { url, bridgeEnv: { MQTT_URL: url }, version: 4 },
    kill: async (node) => {
      await processes[node]?.end('SIGKILL');
    },
    revive: async (node) => {
      processes[node] = run(node);
      await answers(mqttPorts[node] ?? 0, processes[node]);
    },
  };
}

const nameOf = (node: number) => `node${node + 1}@localhost`;

/** Writes a node's configuration. @returns the environment that leads it there */
function place(folder: string, node: number, port: number): Record<string, string> {
  const home = join(folder, String(node));
  mkdirSync(home);
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const others = [0, 1, 2].map(
    (each) => `cluster_formation.classic_config.nodes.${each + 1} = ${nameOf(each)}`,
  );
  return {
    RABBITMQ_NODENAME: nameOf(node),
    RABBITMQ_CONFIG_FILE: file(
      'rabbitmq.conf',
      [
        'listeners.tcp = none',
        `mqtt.listeners.tcp.default = 127.0.0.1:${port}`,
        'mqtt.allow_anonymous = true',
        'mqtt.durable_queue_type = quorum',
        'cluster_formation.peer_discovery_backend = classic_config',
        ...others,
        'log.console = true',
        'log.console.level = warning',
        'log.file = false',
        '',
      ].join('\n'),
    ),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins', '[rabbitmq_mqtt].\n'),
    RABBITMQ_MNESIA_BASE: join(home, 'data'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_LOGS: '-',
  };
}

/** @throws Error with what it wrote when it ends instead */
async function answers(port: number, node: Started | undefined): Promise<void> {
  await until(
    `a node on ${port}`,
    async () => {
      if (node?.child.exitCode !== null) throw new Error(`a node ended:\n${node?.output()}`);
      try {
        (await connected(port)).destroy();
        return true;
      } catch {
        return false;
      }
    },
    READY_WITHIN_MS,
  );
}

function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** @returns its port */
async function startFront(ports: readonly number[]): Promise<number> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const nextNode = async (): Promise<Socket> => {
    for (let tries = 1; ; tries++) {
      try {
        return await connected(ports[turn++ % ports.length] ?? 0);
      } catch (error) {
        if (tries === ports.length) throw error;
      }
    }
  };
  const pass = async (client: Socket): Promise<void> => {
    const node = await nextNode();
    sockets.add(node);
    node.on('error', () => client.destroy());
    node.on('close', () => client.destroy());
    client.on('close', () => node.destroy());
    client.pipe(node);
    node.pipe(client);
    client.resume();
  };
  const front = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    pass(client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    front.close();
  });
  const address = front.address();
  if (typeof address !== 'object' || address === null) throw new Error('the front has no port');
  return address.port;
}
