/**
 * Loaded before the bridge: its wall clock, and nothing else, is off by so many milliseconds as WALL_CLOCK_OFF says, and
 * after SIGUSR2 by as many as WALL_CLOCK_THEN says.
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
