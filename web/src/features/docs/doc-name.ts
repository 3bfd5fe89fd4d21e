/** Whether a document may have this name. Other names are neither looked up nor requested. */
export function isDocName(name: string): boolean {
  return /^[a-z0-9_-]{1,100}$/.test(name);
}
