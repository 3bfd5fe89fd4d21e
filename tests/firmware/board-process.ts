/**
 * The program that is flashed, in MicroPython's WebAssembly port: a process of its own, so that its power can be cut.
 * Its flash is a file, its socket TCP, its sensor the number of the reading. Variables: MQTT_URL, FLASH_FILE, READINGS,
 * EVERY_MS. Prints `memory=` (bytes of Python's heap in use, at most) and `given-up=` when all were measured.
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
  replace: (hex: string) => {
    writeFileSync(`${file}.new`, Buffer.from(hex, 'hex'));
    renameSync(`${file}.new`, file);
  },
};

/** Exactly `count` bytes, as soon as they are there. */
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

const python = await loadMicroPython({ stdout: (line: string) => process.stdout.write(`${line}\n`) });
for (const module of ['mqtt', 'kept_readings', 'board']) {
  const source = readFileSync(`firmware/micropython/${module}.py`, 'utf8');
  python.FS.writeFile(`/${module}.py`, source);
}
python.registerJsModule('host_flash', flash);
python.registerJsModule('host_wire', wire);
python.registerJsModule('host', {
  // Python would get an integer of 32 bits.
  now: () => String(Date.now()),
  plant: PLANT,
  readings: Number(env('READINGS')),
  every: Number(env('EVERY_MS')) / 1000,
});
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
    def replace(self, data):
        host_flash.replace(hexlify(data).decode())

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

gc.collect()
before = gc.mem_alloc()
from board import Board
from kept_readings import KeptReadings

most = 0
taken = 0
def measure():
    global taken, most
    taken += 1
    if taken % 50 == 0:
        gc.collect()
        most = max(most, gc.mem_alloc() - before)
    return taken % 1024

kept = KeptReadings(Flash(), most=20000)
board = Board(host.plant, '', measure, lambda: int(host.now()), connect, kept, every_s=host.every)

async def main():
    running = asyncio.create_task(board.run())
    while taken < host.readings:
        await asyncio.sleep(0.02)
    print('memory=%d given-up=%d' % (most, kept.given_up))
    running.cancel()
    await board.run_once()
    print('through')
asyncio.create_task(main())
`);
