const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `12.3 MB`, in powers of a thousand. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
