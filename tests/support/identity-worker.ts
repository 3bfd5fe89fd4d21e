import { exportJWK, generateKeyPair } from 'jose';
import { readFileSync } from 'node:fs';

export const IDENTITY = 'http://identity.test/dev/identity';
const CLIENT_ID = 'test-client';
const CLIENT_SECRET = 'test-client-secret';

/** The local identity provider as a second worker, and the variables with which the tested worker uses it. */
export async function identityWorker() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const read = (file: string) => readFileSync(`dist/identity-provider/${file}`, 'utf8');
  return {
    worker: {
      name: 'identity-provider',
      modules: true,
      script: read('app.js'),
      compatibilityDate: '2026-10-23',
      bindings: {
        KEY: { ...(await exportJWK(privateKey)), kid: 'test-key' },
        ISSUER: IDENTITY,
        CLIENT_ID,
        CLIENT_SECRET,
        CLIENT_SCRIPT: read('client.js'),
      },
    },
    variables: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      COOKIE_SECRETS: 'a-cookie-secret-that-is-for-tests-only',
      ADMIN_EMAILS: 'admin@lab.test',
      UNIVERSITY_EMAIL_DOMAINS: 'hanbit.example',
      IDENTITY_PROVIDER: IDENTITY,
    },
  };
}
