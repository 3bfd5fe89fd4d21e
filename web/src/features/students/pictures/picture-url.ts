let uploads = 0;

/**
 * Changes the URLs after an upload, because a browser does not request a picture again that it has shown on the page.
 */
export function countUpload(): void {
  uploads += 1;
}

export function pictureUrl({ id, name }: { id: string; name: string }): string {
  const query = new URLSearchParams({ name, ...(uploads > 0 && { v: String(uploads) }) });
  return `/api/students/pictures/${encodeURIComponent(id)}?${query}`;
}
