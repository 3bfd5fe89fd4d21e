/** 256 random bits, as 43 characters of base64url. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Derives 256 bits for a purpose, as base64, by HMAC-SHA-256; nobody can derive them without the secret. */
export async function deriveKey(secret: string, purpose: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(purpose))).toBase64();
}

export async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
}
