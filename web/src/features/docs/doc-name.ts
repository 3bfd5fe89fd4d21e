/** Whether a document may have this name; nothing else is looked up or asked for. */
export function isDocName(name: string): boolean {
  return /^[a-z0-9_-]{1,100}$/.test(name);
}
