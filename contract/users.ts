import * as z from 'zod';
import { type SecureLevel, secureLevelSchema } from './access-levels.ts';

/** A user as listed by GET /api/users. A number is verified by the roster's email address or by an admin. */
export type User = {
  id: number;
  name: string;
  email: string;
  secure_level: SecureLevel;
  univ_id: string | null;
  univ_id_verified: boolean;
};

/** Body of PUT /api/users/{id}. */
export const roleChangeSchema = z.object({ secureLevel: secureLevelSchema });

/** Body of PUT /api/users/{id}/univ_id: an admin confirms the number that the user claims. */
export const univIdConfirmationSchema = z.object({ univ_id: z.string() });

/** One of the caller's own sessions, as listed by GET /api/login/sessions. Instants are ISO 8601. */
export type OwnSession = {
  id: number;
  created_at: string;
  last_used_at: string;
  user_agent: string;
  /** Whether the request came from this session. */
  current: boolean;
};

/** Student or staff number: 20 followed by six or seven digits, never trimmed or normalised. */
export const univIdSchema = z.string().regex(/^20[0-9]{6,7}$/, '학번/직번을 올바르게 입력하세요');

/** The signed-in user, as returned by the login calls. */
export const loginUserSchema = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  univId: z.string().nullable(),
  secureLevel: secureLevelSchema,
});
export type LoginUser = z.infer<typeof loginUserSchema>;

/** Response of POST /api/login to a valid token without an email address: no session was opened. */
export type LoginWithoutEmail = { email: null };

/**
 * Response of GET /api/login/{id}/draft-key: 256 bits in base64, always the same for a user. The browser
 * encrypts unsaved input with this key.
 */
export type DraftKey = { key: string };

/** Body of PUT /api/login/{id}. Name and email must match the session's. */
export const profileSchema = z.object({ name: z.string(), email: z.string(), univId: univIdSchema });
export type Profile = z.infer<typeof profileSchema>;

/** How many numbers, other than the current one, a user may claim per hour. */
export const UNIV_ID_CLAIMS_PER_HOUR = 10;

/** What the login page needs for the identity provider's button. */
export type IdentityProvider = { clientId: string; scriptUrl: string };

/** Response of POST /api/login/nonce: the nonce that the login button's token must contain. */
export type SignInNonce = { nonce: string };
