import { expect, test } from 'vitest';
import { parseBrokerUrl } from '../../firmware-bridge/src/broker/mqtt.ts';

test.each([
  ['mqtt://127.0.0.1', { protocol: 'mqtt', hostname: '127.0.0.1', path: '' }],
  ['mqtts://broker.lab.test:8883', { protocol: 'mqtts', hostname: 'broker.lab.test', port: 8883, path: '' }],
  ['mqtt://[::1]:1883', { protocol: 'mqtt', hostname: '::1', port: 1883, path: '' }],
  ['ws://[::1]:9001', { protocol: 'ws', hostname: '[::1]', port: 9001, path: '/' }],
  [
    'wss://broker.lab.test/mqtt?room=1',
    { protocol: 'wss', hostname: 'broker.lab.test', path: '/mqtt?room=1' },
  ],
  [
    'mqtt://fern%40lab:p%3Aq@broker',
    { protocol: 'mqtt', hostname: 'broker', path: '', username: 'fern@lab', password: 'p:q' },
  ],
])('OPS-5 the broker at %s is found', (url, options) => {
  expect(parseBrokerUrl(url)).toEqual(options);
});
