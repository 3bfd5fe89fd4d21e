/** `npm run bench -- <name> …`: runs a bench; without a name it lists them. Compare ratios, never times of different runs. */
import process from 'node:process';

const benches: Record<string, [does: string, words?: string]> = {
  machine: ['start and end of the local run, a session check, a reading from board to D1, hostile texts'],
  scores: ['grading 1,000 rows anew, dragging a cut-off on a slow processor'],
  students: ['the screens of students with 5,000 rows and 100 photographs'],
  ledger: ["the account's timeline with 10,000 entries"],
  plants: ['any range and all waterings of ten million readings, ingest', '[<readings>]'],
  'plants-screen': ['the chart with 2,000 points while readings arrive'],
  live: ['a reading on 22 open screens, and what one of them asks in an hour'],
  ingest: ['readings from board to D1, beside a bare MQTT-to-SQLite program', '[<figure>]'],
  disk: ['what a reading writes to the disk of DISK_FOLDER, bridge there and away', '[<case>]'],
  backup: ['backup, loss and restore of 100,000 readings and 500 pictures', '[<readings> [<pictures>]]'],
  scale: ['what a day of readings writes, and 100 times the laboratory'],
  'first-screens': ['what a first staff screen asks for with an empty cache', '[list]'],
  site: ['the main page beside a hand-written one, its scripts, Lighthouse', '[published]'],
};

// A bench finds its own words where it would without this.
const [name] = process.argv.splice(2, 1);
if (name !== undefined && Object.hasOwn(benches, name)) {
  await import(`./${name === 'site' ? 'site/run' : name}.ts`);
} else {
  if (name !== undefined) console.error(`there is no bench ${JSON.stringify(name)}`);
  const rows = Object.entries(benches).map(
    ([each, [does, words = '']]) => [`${each} ${words}`, does] as const,
  );
  for (const [typed, does] of rows) console.log(`npm run bench -- ${typed.padEnd(34)}${does}`);
  process.exitCode = name === undefined ? 0 : 64;
}
