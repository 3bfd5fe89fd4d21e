import { env } from 'cloudflare:workers';
import { call } from './client.ts';

export type Named = [name: string, bytes: Uint8Array, type?: string];

export function formOf(files: Named[], field = 'images'): FormData {
  const form = new FormData();
  for (const [name, bytes, type = 'image/png'] of files)
    form.append(field, new File([bytes.slice()], name, { type }));
  return form;
}
export const upload = async (...files: Named[]) => await call('/upload', 'POST', formOf(files));
export const keys = async () => (await env.FILES.list()).objects.map(({ key }) => key);
export const read = (id: string, headers: Record<string, string> = {}) =>
  call(`/students/pictures/${id}`, 'GET', undefined, headers);
