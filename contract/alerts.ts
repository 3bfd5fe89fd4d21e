import { alertList, type Alert } from './alert-list.ts';
import { SPOOL_FAILURES } from './readings.ts';

/** Everything that raises an alert. */
export type AlertKind = keyof typeof alertList;

/** `name` is the plant (of `PLANT_ALERTS`), bridge or task, or what the watch itself could not do; empty where there is only one. */
export type AlertKey = { kind: AlertKind; name: string };

/** Undefined for a kind that a newer version added. */
const alertOf = (kind: string): Alert | undefined =>
  Object.entries(alertList).find(([known]) => known === kind)?.[1];

/** The problem in words; the bare name for a kind that a newer version added. */
export const troubleText = ({ kind, name }: { kind: string; name: string }) =>
  alertOf(kind)?.text(name) ?? `${kind} ${name}`;

/** What to do first; undefined for a kind that a newer version added. */
export const firstStep = (kind: string) => alertOf(kind)?.step;

/** Alerts about one plant; all others are about the line from the bridge to the database. */
export const PLANT_ALERTS: readonly AlertKind[] = ['dry', 'board', 'quota'];

/** Those of them that end when the plant is hidden or removed. */
export const WATCHED_ALERTS: readonly AlertKind[] = ['dry', 'board'];

export const BRIDGE_ALERTS: readonly AlertKind[] = [
  'bridge',
  'broker',
  'spool',
  'spool_unknown',
  'quota',
  'dead_letters',
  'certificate',
  'disk',
  ...SPOOL_FAILURES.map((failure) => `spool_${failure}` as const),
];
