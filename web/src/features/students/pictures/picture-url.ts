let uploads = 0;

/** Pictures have changed: a browser shows an address that it has shown on this page without asking again. */
export function countUpload(): void {
  uploads += 1;
}

export function pictureUrl({ id, name }: { id: string; name: string }): string {
  const query = new URLSearchParams({ name, ...(uploads > 0 && { v: String(uploads) }) });
  return `/api/students/pictures/${encodeURIComponent(id)}?${query}`;
}
