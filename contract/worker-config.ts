import type * as z from 'zod';
import { missingBindings, type BindingKind } from './bindings.ts';
import { readVariables } from './variables.ts';

/**
 * Creates a worker's configuration reader, which validates `env`, including bindings, once per isolate. The reader
 * throws an Error naming everything missing or invalid, without values.
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
