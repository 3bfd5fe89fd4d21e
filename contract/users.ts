import * as z from 'zod';
import { secureLevelSchema, type SecureLevel } from './access-levels.ts';

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

/** Body of PUT /api/users/{id}/univ_id: an admin confirms the number the user claims. */
export const univIdConfirmationSchema = z.object({ univ_id: z.string() });

/** One of the caller's own sessions, as listed by GET /api/login/sessions. Instants are ISO 8601. */
export type OwnSession = {
  id: number;
  created_at: string;
  last_used_at: string;
  user_agent: string;
  /** Whether this is the session of the request. */
  current: boolean;
};
