import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReceiverKind } from '#contract/receivers';
import { addressProblem } from '../../worker/src/receivers/internal-address.ts';
import { propertyRuns } from '../support/counts.ts';

const isRefused = (address: string, allowsLoopback = false, kind: ReceiverKind = 'json') =>
  addressProblem(kind, address, allowsLoopback) !== undefined;

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://10.1.2.3/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://100.127.255.254/',
  'https://0.0.0.0/',
  'https://198.19.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:c0a8:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:1::]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[fd12:3456::1]/',
  'https://[fc00::1]/',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://portal.localhost/',
  'https://raspberrypi.local/',
  'https://raspberrypi.local./',
  'https://metadata.google.internal/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://printer/',
  'https://localhost../',
  'https://10.0.0.1../',
  'https://nas.localdomain/',
  'https://127.0.0.1.nip.io/',
  'https://hook.192-168-0-1.sslip.io/',
  'http://receiver.example/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'https://user@receiver.example/',
  'https://:secret@receiver.example/',
  'receiver.example/hook',
  '',
])('PLT-10 no message is sent to %s', (address) => {
  for (const kind of ['json', 'slack', 'discord', 'jandi', 'telegram', 'mail'] as const)
    expect(isRefused(address, false, kind)).toBe(true);
});

test('PLT-10 no IPv4 address of a network of one’s own passes, however it is written', () => {
  const own = [
    [10, 8],
    [127, 8],
    [172, 12, 16],
    [192, 16, 168],
    [169, 16, 254],
    [100, 10, 64],
  ] as const;
  const spellings = [
    (parts: number[]) => parts.join('.'),
    (parts: number[]) => parts.map((part) => `0x${part.toString(16)}`).join('.'),
    (parts: number[]) => parts.map((part) => `0${part.toString(8)}`).join('.'),
    ([a = 0, b = 0, c = 0, d = 0]: number[]) => String(((a * 256 + b) * 256 + c) * 256 + d),
    ([a = 0, b = 0, c = 0, d = 0]: number[]) => `${a}.${b}.${c * 256 + d}`,
    (parts: number[]) => `[::ffff:${parts.join('.')}]`,
    (parts: number[]) => `${parts.join('.')}.`,
  ];
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(
      fc.constantFrom(...own),
      byte,
      byte,
      byte,
      fc.constantFrom(...spellings),
      ([first, bits, second = 0], b, c, d, spell) => {
        const within = bits === 8 ? b : bits === 16 ? second : second + (b % 2 ** (16 - bits));
        expect(isRefused(`https://${spell([first, within, c, d])}/hook`)).toBe(true);
      },
    ),
    propertyRuns(500, 20_000),
  );
});

test.each([
  ['slack', 'https://hooks.slack.com/services/T0/B0/made-up'],
  ['slack', 'https://chat.googleapis.com/v1/spaces/made-up/messages?key=k'],
  ['discord', 'https://discord.com/api/webhooks/1/made-up'],
  ['jandi', 'https://wh.jandi.com/connect-api/webhook/1/made-up'],
  ['telegram', 'https://api.telegram.org/bot1:made-up/sendMessage?chat_id=-100'],
  ['json', 'https://receiver.example:8443/hook'],
  ['json', 'https://93.184.215.14/hook'],
  ['json', 'https://[2606:2800:21f::1]/hook'],
  ['mail', 'gaon@lab.test'],
] as const)('PLT-10 %s takes %s', (kind, address) => {
  expect(addressProblem(kind, address, false)).toBeUndefined();
});

test('PLT-10 an address of another service than the chosen one is refused, and a Telegram chat has to be named', () => {
  expect(addressProblem('discord', 'https://hooks.slack.com/services/x', false)).toMatch(/Slack 주소입니다/);
  expect(addressProblem('json', 'https://wh.jandi.com/x', false)).toMatch(/JANDI 주소입니다/);
  expect(addressProblem('telegram', 'https://api.telegram.org/bot1:x/sendMessage', false)).toMatch(/chat_id/);
  expect(addressProblem('mail', 'gaon@', false)).toMatch(/메일 주소/);
});

test('PLT-10 the local run takes addresses on loopback, of every service and without https, and nothing else inside', () => {
  for (const kind of ['json', 'slack', 'discord', 'jandi', 'telegram'] as const) {
    for (const host of ['127.0.0.1:9000', 'localhost', '[::1]:9000', '127.8.8.8'])
      expect(addressProblem(kind, `http://${host}/hook`, true)).toBeUndefined();
    for (const host of ['192.168.0.1', 'user@127.0.0.1', '10.0.0.1', 'x.localhost', '[fe80::1]'])
      expect(addressProblem(kind, `http://${host}/hook`, true)).toBeDefined();
  }
});
