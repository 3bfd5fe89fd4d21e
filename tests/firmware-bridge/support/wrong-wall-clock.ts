/**
 * Loaded before the bridge. Makes only its wall clock wrong, by WALL_CLOCK_OFF milliseconds, and after
 * SIGUSR2 by WALL_CLOCK_THEN milliseconds.
 */
const RealDate = Date;
let off = Number(process.env['WALL_CLOCK_OFF']);
const now = () => RealDate.now() + off;
process.on('SIGUSR2', () => {
  off = Number(process.env['WALL_CLOCK_THEN']);
});
globalThis.Date = new Proxy(RealDate, {
  construct: (real, given: [] | [number]) => (given.length === 0 ? new real(now()) : new real(...given)),
  get: (real, name): unknown => (name === 'now' ? now : Reflect.get(real, name)),
});
