import { execFileSync } from 'node:child_process';

/** A certificate of its own for one run; its key is never written to disk. */
export function selfSigned(days = 2): { key: string; cert: string } {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const what = ['-days', String(days), '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const pem = execFileSync('openssl', [...request, ...what, '-keyout', '-', '-out', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { key: pem, cert: pem };
}
