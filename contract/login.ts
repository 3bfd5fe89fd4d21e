import * as z from 'zod';
import { secureLevelSchema } from './access-levels.ts';

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

/** Body of PUT /api/login/{id}. Name and email must match the session's. */
export const profileSchema = z.object({ name: z.string(), email: z.string(), univId: univIdSchema });
export type Profile = z.infer<typeof profileSchema>;

/** How many other numbers a user may claim in an hour. */
export const CLAIMS_PER_HOUR = 10;

/** What the login page needs for the identity provider's button. */
export type IdentityProvider = { clientId: string; scriptUrl: string };

/** Response of POST /api/login/nonce: what the token of the login page's button has to name. */
export type SignInNonce = { nonce: string };
