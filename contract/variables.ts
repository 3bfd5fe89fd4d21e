import * as z from 'zod';
import { LOG_LEVELS } from './log-line.ts';
import { missingBindings, type BindingKind } from './bindings.ts';

/*
 * How each runtime reads its environment variables: one object schema per runtime, in which `.meta()`
 * describes each field. Error messages and docs/configuration.md use these descriptions.
 */

declare module 'zod' {
  interface GlobalMeta {
    /** Must not be printed, or stored in a tracked file. */
    secret?: true;
  }
}

/**
 * Returns the parsed variables, or one line per problem: the variable's name and what its value should be.
 * Empty variables count as absent. Values are never repeated, because some are secret.
 */
export function readVariables<Variables extends z.ZodObject>(
  variables: Variables,
  env: Record<string, unknown>,
): { values: z.output<Variables> } | { problems: string[] } {
  const names = Object.keys(variables.shape).filter((name) => (env[name] ?? '') !== '');
  const parsed = variables.safeParse(Object.fromEntries(names.map((name) => [name, env[name]])));
  if (parsed.success) return { values: parsed.data };
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${name} ${names.includes(name) ? message : 'is required'}: ${variableDescription(variables, name)}`;
  });
  // A list with several invalid items needs only one line.
  return { problems: [...new Set(lines)] };
}

export function variableDescription(variables: z.ZodObject, name: string): string {
  return z.globalRegistry.get(variables.shape[name] ?? z.never())?.description ?? '';
}

export function secretVariableNames(variables: z.ZodObject): string[] {
  return Object.entries(variables.shape)
    .filter(([, field]) => z.globalRegistry.get(field)?.['secret'] === true)
    .map(([name]) => name);
}

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^[0-9]{1,10}$/, message)
    .transform(Number)
    .pipe(z.number(message).min(min, message).max(max, message));
}

export const portVariable = (min: 0 | 1 = 1) => wholeNumber(min, 65_535);

export function urlVariable(protocol: RegExp, example: string) {
  return z.url({ protocol, error: `must be an address like ${example}` });
}

export const brokerUrlVariable = () => urlVariable(/^(mqtts?|wss?)$/, 'mqtt://127.0.0.1:1883');

/** Comma-separated strings, each validated by `item`. */
export function listVariable<Item extends z.ZodType<string, string>>(item: Item) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) => parts.filter((part) => part !== ''))
    .pipe(z.array(item));
}

export function switchVariable(standard: 'on' | 'off') {
  return z
    .enum(['on', 'off'], 'must be on or off')
    .default(standard)
    .transform((value) => value === 'on');
}

export const logLevelVariable = () =>
  z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .meta({ description: 'the lowest level that is logged: debug, info, warn or error' });

/**
 * Creates a worker's configuration reader, which validates `env`, including bindings, once per isolate. The
 * reader throws an Error naming everything missing or invalid, without values.
 */
export function configReader<Variables extends z.ZodObject>(
  variables: Variables,
  bindings: Record<string, BindingKind>,
): (env: Record<string, unknown>) => z.output<Variables> {
  const known = new WeakMap<object, z.output<Variables>>();
  return (env) => {
    const before = known.get(env);
    if (before !== undefined) return before;
    const read = readVariables(variables, env);
    const problems = [...missingBindings(bindings, env), ...('problems' in read ? read.problems : [])];
    if ('problems' in read || problems.length > 0) {
      throw new Error(`wrong configuration: ${problems.join('; ')}`);
    }
    known.set(env, read.values);
    return read.values;
  };
}
