/* Parts of requests for the fuzzers of both workers, and the check of the answers. */

/** Random choices that depend only on the seed (mulberry32). */
export function generator(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    happens: (share: number) => next() < share,
    oneOf: <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] ?? of[0],
  };
}
export type Random = ReturnType<typeof generator>;

const nested = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);

export const texts = [
  `'; DROP TABLE users; --`,
  `1' OR '1'='1`,
  '"; DELETE FROM sessions; --',
  '%',
  'a\0b',
  '🌱👩‍👩‍👧‍👦',
  '\u202eمرحبا\u202c',
  '\ud800',
  '２０２１０００１',
  '가'.repeat(10_240),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  'a\r\nset-cookie: x=1',
  ' ',
  '',
] as const;

const values: readonly [unknown, ...unknown[]] = [
  null,
  true,
  -0,
  -1,
  0.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[1]],
  { $gt: '' },
  { length: 1e9 },
  { __proto__: null, constructor: { prototype: { polluted: 1 } } },
  ...texts,
];

export const bodies = [
  '',
  '{',
  'null',
  'undefined',
  '"text"',
  '[null]',
  '[[]]',
  '{}',
  'NaN',
  '{"secureLevel":NaN}',
  '{"secureLevel":1e400}',
  `{"secureLevel":${'9'.repeat(1000)}}`,
  '\ufeff{}',
  '{"secureLevel":2,"secureLevel":4}',
  nested('[', ']'),
  nested('{"a":', '}').replace(':}', ':1}'),
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '[{"__proto__":{"polluted":1}}]',
  'secureLevel=1&_method=DELETE',
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  `{"name":"${'x'.repeat(70_000)}"}`,
  Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
] as const;

export const contentTypes = [
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  ';;;',
] as const;

export const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'] as const;

/** As many headers as a request may have. */
const flood = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`x-flood-${at}`, 'x'.repeat(100)]));

export const headers = [
  { accept: '*/*;q=9,,' },
  { 'content-encoding': 'gzip' },
  { 'if-none-match': '*' },
  { 'if-none-match': `"${'x'.repeat(5000)}", W/, ,` },
  { range: 'bytes=0-,-1' },
  { 'user-agent': 'x'.repeat(10_000) },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Bearer' },
  { authorization: `Basic ${'x'.repeat(10_000)}` },
  { 'x-forwarded-for': "127.0.0.1, ' OR 1=1" },
  { 'idempotency-key': 'x'.repeat(500) },
  { 'x-request-id': '<script>%0d%0a' },
  { 'content-length': '-1' },
  { origin: 'not an origin' },
  { 'sec-fetch-site': 'of our own making' },
  { 'accept-language': ','.repeat(5000) },
  flood,
  { 'x-long': 'x'.repeat(60_000) },
] as const;

/** The value with each of its parts replaced by a bad value. */
export function worse(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => worse(item, random));
  if (typeof value !== 'object' || value === null) return random.oneOf(values);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, worse(item, random)]));
}

/** The value with a few changes, so that most of it is still valid. */
export function near(value: unknown, random: Random): unknown {
  if (random.happens(0.7) && (typeof value !== 'object' || value === null)) return value;
  if (typeof value === 'string')
    return random.oneOf([`${value} `, value.normalize('NFD'), value.slice(1), ...texts]);
  if (typeof value === 'number')
    return random.oneOf([
      value + 1,
      value - 1,
      -value,
      0,
      0.5,
      2 ** 53,
      -(2 ** 53),
      1e308,
      String(value),
      null,
    ]);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) {
    const items = value.map((item) => near(item, random));
    // At most a megabyte: lists in lists would be longer than the maximum length of a string.
    const length = Math.min(3000, Math.ceil(1_000_000 / (JSON.stringify(items[0]) ?? '').length));
    const thousands = Array.from({ length }, () => items[0]);
    return random.oneOf([
      items,
      items,
      items,
      items,
      [],
      items.concat(items),
      items.concat([[null]]),
      thousands,
    ]);
  }
  if (typeof value !== 'object' || value === null) return random.oneOf(values);
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] =>
    random.happens(0.03) ? [] : [[key, near(item, random)]],
  );
  return Object.fromEntries(random.happens(0.1) ? [...entries, ['unknown', random.oneOf(values)]] : entries);
}

/** JSON that no serializer writes: double keys, huge numbers, ten thousand levels, half a character, no end. */
export function damaged(json: string, random: Random): string {
  const number = random.oneOf(['1e400', '-1e400', '9'.repeat(1000), '-0', '0.1e1', '1.0', '00', '0x10']);
  return random.oneOf([
    json,
    json.replace(/^\{("[^"]*":)/, (start, key: string) => `{${key}null,${key}`),
    json.replace(/^\{("[^"]*":[^,}]*)/, (start, pair: string) => `${start},${pair}`),
    json.replaceAll(/:-?\d+(?:\.\d+)?/g, () => `:${number}`),
    json.replace(/:("[^"]*"|-?\d+)/, () => `:${nested('[', ']')}`),
    json.replace(/:"/, ':"\\ud800'),
    json.replace(/:"/, ':"\\u0000\\u202e'),
    json.replace(/"$|"(?=[,}])/, '\\udc00"'),
    `\ufeff${json}`,
    `${json} ${json}`,
    json.slice(0, random.below(json.length + 1)),
    `${' '.repeat(70_000)}${json}`,
    `{"__proto__":{"polluted":1},${json.slice(1)}`,
  ]);
}

/** A multipart body with the boundary `x` that no browser would send. */
export function oddForm(field: string, file: Uint8Array<ArrayBuffer>, random: Random): Blob {
  const name = random.oneOf([field, field, `${field}[]`, '', `${field}"; name="b`, '__proto__', '\ufffd']);
  const fileName = random.oneOf([
    '20211111.png',
    '',
    '..\\..\\x',
    'a\0.png',
    '가'.repeat(5000),
    '";\r\nx: y',
    '.',
  ]);
  const disposition = `content-disposition: form-data; name="${name}"; filename="${fileName}"\r\n`;
  const changed = file.slice();
  if (random.happens(0.5)) changed[random.below(changed.length)] = random.below(256);
  const part = [`--x\r\n${disposition}content-type: image/png\r\n\r\n`, changed, '\r\n'];
  const parts = random.oneOf([
    part,
    [...part, ...part],
    Array.from({ length: 150 }, () => part).flat(),
    ['--x\r\n\r\n\r\n'],
    [`--x\r\n${'content-type: a/b\r\n'.repeat(2000)}\r\n`],
    [`--x\r\ncontent-type: multipart/mixed; boundary=x\r\n${disposition}\r\n`, ...part],
    [`--x\r\ncontent-transfer-encoding: base64\r\n${disposition}\r\n`, changed, '\r\n'],
    [],
  ]);
  return new Blob([...parts, random.oneOf(['--x--\r\n', '--x--', '--x', ''])]);
}

/** An answer must never contain these: a stack trace, an error of the database, SQL. */
const INSIDE =
  /D1_ERROR|SQLITE_|no such (?:table|column)|constraint failed|\bSELECT ["`*\w]|INSERT INTO|node_modules|\.[mc]?[jt]sx?:\d|\bat [\w.<>]+ \(/;

/** What is wrong with an answer's text or headers; undefined if nothing is wrong. */
export function faultIn({ status, headers: sent }: Response, text: string): string | undefined {
  if (status >= 500) return `${status}: ${text}`;
  if (sent.get('x-content-type-options') !== 'nosniff') return 'no security headers';
  if (sent.has('access-control-allow-origin')) return 'open to other origins';
  return INSIDE.test(text) ? `tells what is inside: ${text.slice(0, 1000)}` : undefined;
}
