const fixed: (string | Uint8Array)[] = [
  '',
  'NaN',
  '-1',
  '1024',
  '512.5',
  '"512"',
  'true',
  'null',
  '{}',
  '[]',
  '{"__proto__":{"soil_moisture":512}}',
  '{"soil_moisture":512,"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"soil_moisture":512,"datetime":"yesterday"}',
  '['.repeat(10_000),
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'x'.repeat(1024 * 1024),
  Uint8Array.of(0xff, 0xfe, 0xfd),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0),
];

/** So many different payloads that are no readings. */
export function malformedPayloads(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, n) => {
    const payload = fixed[n] ?? `{"soil_moisture":${1024 + n}}`;
    return typeof payload === 'string' ? Buffer.from(payload) : payload;
  });
}
