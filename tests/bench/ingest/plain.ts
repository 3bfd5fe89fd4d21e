/** MQTT.js into a SQLite file in WAL mode, 100 rows a transaction, acknowledged on arrival. Arguments: address, file. */
import { DatabaseSync } from 'node:sqlite';
import mqtt from 'mqtt';

const [url = '', file = ''] = process.argv.slice(2);
const db = new DatabaseSync(file);
const insert = db.prepare('INSERT INTO plant_readings VALUES (?, ?, ?, ?)');
let rows: Buffer[] = [];

function store(): void {
  if (rows.length === 0) return;
  db.exec('BEGIN');
  for (const row of rows) {
    const { datetime, seq, soil_moisture } = JSON.parse(row.toString());
    insert.run('bench', datetime, seq, soil_moisture);
  }
  db.exec('COMMIT');
  rows = [];
}

const client = mqtt.connect(url, { protocolVersion: 5, clientId: 'plain', clean: false });
client.on('message', (_topic, payload) => {
  rows.push(payload);
  if (rows.length >= 100) store();
});
setInterval(store, 10);
await client.subscribeAsync('lab/plants/bench/soil_moisture', { qos: 1 });
console.log('ready');
