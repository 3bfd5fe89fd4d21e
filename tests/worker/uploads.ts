import { env } from 'cloudflare:workers';
import { call, signInAdmin } from './client.ts';

export type Named = [name: string, bytes: Uint8Array, type?: string];

export function formOf(files: Named[], field = 'images'): FormData {
  const form = new FormData();
  for (const [name, bytes, type = 'image/png'] of files)
    form.append(field, new File([bytes.slice()], name, { type }));
  return form;
}
export const upload = async (...files: Named[]) => await call('/upload', 'POST', formOf(files));

/** An admin who has uploaded nothing yet, and the students 20211111, 20212222 and ab-1, without pictures. */
export async function beginWithoutPictures(): Promise<void> {
  await signInAdmin(`${crypto.randomUUID()}@lab.test`);
  await env.DB.batch([
    env.DB.prepare('DELETE FROM students'),
    env.DB.prepare(
      "INSERT INTO students (id, name) VALUES ('20211111', '가람'), ('20212222', '나래'), ('ab-1', '다솜')",
    ),
  ]);
  for (const { key } of (await env.FILES.list()).objects) await env.FILES.delete(key);
}

/** Of all files, each without what is new with every upload. */
export const keys = async () =>
  (await env.FILES.list()).objects.map(({ key }) => key.split('/').slice(0, 2).join('/'));
export const read = (id: string, headers: Record<string, string> = {}) =>
  call(`/students/pictures/${id}`, 'GET', undefined, headers);
