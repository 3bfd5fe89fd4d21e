import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/* Makes the local broker's certificate. Node can only read certificates, and openssl may not be installed. */

const DAY_MS = 86_400_000;

/** Encodes a value in DER (X.690). */
function encoded(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => encoded(0x30, ...parts);
const oid = (hex: string) => encoded(0x06, Buffer.from(hex, 'hex'));
const bits = (value: Uint8Array, unused = 0) => encoded(0x03, Buffer.of(unused), value);
const utcTime = (at: number) =>
  encoded(0x17, Buffer.from(new Date(at).toISOString().replaceAll(/^..|[-:T]|\.\d+/g, '')));
const TRUE = encoded(0x01, Buffer.of(0xff));
const extension = (id: string, value: Uint8Array) => sequence(oid(id), TRUE, encoded(0x04, value));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const SERVER_AUTH = sequence(oid('2b06010505070301'));

const nameIn = (name: string) => encoded(0x82, Buffer.from(name));
/** Writes an address as a DNS name too, because older TLS libraries on boards read only DNS names. */
const named = (name: string) =>
  isIPv4(name) ? [encoded(0x87, Buffer.from(name.split('.').map(Number))), nameIn(name)] : [nameIn(name)];

/**
 * Makes a key and its self-signed certificate in PEM, valid for ten years (RFC 5280). The certificate is
 * valid from yesterday, because a board's clock may be behind.
 * @param names host names or IPv4 addresses of the server
 */
export function createSelfSignedCertificate(names: readonly string[]): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(
    encoded(0x31, sequence(oid('550403'), encoded(0x0c, Buffer.from('lab portal, local run')))),
  );
  const now = Date.now();
  const body = sequence(
    encoded(0xa0, encoded(0x02, Buffer.of(2))),
    encoded(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + 3650 * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encoded(
      0xa3,
      sequence(
        // Basic constraints: the certificate is also its own certificate authority.
        extension('551d13', sequence(TRUE)),
        extension('551d0f', bits(Buffer.of(0b1000_0100), 2)),
        sequence(oid('551d25'), encoded(0x04, SERVER_AUTH)),
        sequence(oid('551d11'), encoded(0x04, sequence(...names.flatMap(named)))),
      ),
    ),
  );
  const der = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
