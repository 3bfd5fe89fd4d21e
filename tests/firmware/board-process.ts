/**
 * Runs the board's program in MicroPython's WebAssembly port, in its own process, which a test can kill. The
 * flash is a file, the socket is TCP, and the sensor returns the number of the reading. Variables: MQTT_URL,
 * FLASH_FILE, EVERY_MS. After SIGTERM the program sends waiting readings, prints `memory=` (the most bytes
 * that program and data have used of Python's heap) and `given-up=`, and exits.
 */
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript';
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { PLANT } from './plant.ts';

const env = (name: string) => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
};
const file = env('FLASH_FILE');
const broker = new URL(env('MQTT_URL'));

const flash = {
  size: () => (existsSync(file) ? statSync(file).size : 0),
  read: (at: number, count: number) =>
    readFileSync(file)
      .subarray(at, at + count)
      .toString('hex'),
  append: (hex: string) => appendFileSync(file, Buffer.from(hex, 'hex')),
  keep: (begin: number, end: number) => {
    writeFileSync(`${file}.new`, readFileSync(file).subarray(begin, end));
    renameSync(`${file}.new`, file);
  },
};

/** Reads exactly `count` bytes. */
function read(socket: Socket, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const bytes: Buffer | null = socket.read(count);
      if (bytes === null && !socket.readableEnded && !socket.destroyed) return;
      socket.off('readable', look).off('close', look);
      if (bytes?.length === count) resolve(bytes.toString('hex'));
      else reject(new Error('the broker hung up'));
    };
    socket.on('readable', look).on('close', look);
    look();
  });
}

const wire = {
  connect: () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(Number(broker.port), broker.hostname);
      socket.once('connect', () => resolve(socket));
      socket.on('error', reject);
    }),
  read,
  write: (socket: Socket, hex: string) => void socket.write(Buffer.from(hex, 'hex')),
  close: (socket: Socket) => void socket.destroy(),
};

let isTold = false;
process.once('SIGTERM', () => {
  isTold = true;
});

const python = await loadMicroPython({ stdout: (line: string) => process.stdout.write(`${line}\n`) });
for (const module of ['mqtt', 'kept_readings', 'board']) {
  const source = readFileSync(`firmware/micropython/${module}.py`, 'utf8');
  python.FS.writeFile(`/${module}.py`, source);
}
python.registerJsModule('host_flash', flash);
python.registerJsModule('host_wire', wire);
python.registerJsModule('host', {
  // As a string, because Python would get an integer of 32 bits.
  now: () => String(Date.now()),
  plant: PLANT,
  told: () => isTold,
  end: () => process.exit(),
  every: Number(env('EVERY_MS')) / 1000,
});
// On a board, MicroPython's own modules are in the firmware and not in the heap, so they are imported before.
await python.runPythonAsync('import asyncio, gc, json, random, struct, time; gc.collect()');
await python.runPythonAsync('before = gc.mem_alloc()');
await python.runPythonAsync(`
import asyncio, gc, host, host_flash, host_wire
from binascii import hexlify, unhexlify

class Flash:
    def size(self):
        return host_flash.size()
    def read(self, at, count):
        return unhexlify(host_flash.read(at, count))
    def append(self, data):
        host_flash.append(hexlify(data).decode())
    def keep(self, begin, end):
        host_flash.keep(begin, end)

class Stream:
    def __init__(self, socket):
        self._socket = socket
    async def read(self, count):
        try:
            return unhexlify(await host_wire.read(self._socket, count))
        except Exception as error:
            raise OSError(str(error))
    async def write(self, data):
        host_wire.write(self._socket, hexlify(data).decode())
    def close(self):
        host_wire.close(self._socket)

async def connect():
    try:
        return Stream(await host_wire.connect())
    except Exception as error:
        raise OSError(str(error))

from board import Board
from kept_readings import KeptReadings

most = 0
taken = 0
def collect():
    gc.collect()
def weigh():
    global most
    most = max(most, gc.mem_alloc() - before)
def measure():
    global taken
    taken += 1
    return taken % 1024

kept = KeptReadings(Flash(), most=100000)
board = Board(host.plant, '', measure, lambda: int(host.now()), connect, kept, every_s=host.every)

async def main():
    running = asyncio.create_task(board.run())
    while not host.told():
        await asyncio.sleep(0.02)
    running.cancel()
    while kept.waiting(1):
        # As a board does that sleeps: each time it measures once more.
        await board.run_once()
    print('memory=%d given-up=%d' % (most, kept.given_up))
    host.end()
asyncio.create_task(main())
`);
// Collects the garbage of JavaScript first, because its proxies keep objects of Python alive.
const collect = python.globals.get('collect');
const weigh = python.globals.get('weigh');
setInterval(() => {
  globalThis.gc?.();
  setImmediate(() => {
    collect();
    weigh();
  });
}, 200);
