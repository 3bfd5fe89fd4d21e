/** 256 random bits, as 43 characters of base64url. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

export async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
}
