/** A value that is changed step by step, with undo and redo. */
export type UndoHistory<State> = {
  present: State;
  past: readonly Step<State>[];
  future: readonly Step<State>[];
  /** Merge key of the newest step; further changes with the same key extend the step. */
  mergeKey: string | undefined;
};

/** A state to return to by undo or redo, and the name of the change that this reverses or repeats. */
type Step<State> = { state: State; name: string };

const STEPS_MAX = 200;

export function startHistory<State>(present: State): UndoHistory<State> {
  return { present, past: [], future: [], mergeKey: undefined };
}

/**
 * @param name describes the change
 * @param mergeKey successive changes with the same key form one step, such as a dragged cut-off or the digits
 *   of a number
 */
export function addStep<State>(
  history: UndoHistory<State>,
  present: State,
  name: string,
  mergeKey?: string,
): UndoHistory<State> {
  if (present === history.present) return history;
  if (mergeKey !== undefined && mergeKey === history.mergeKey) return { ...history, present, future: [] };
  const past = [...history.past, { state: history.present, name }].slice(-STEPS_MAX);
  return { present, past, future: [], mergeKey };
}

/** The state before the newest steps whose names match; undefined if the newest name does not match. */
export function stateBefore<State>({ past }: UndoHistory<State>, names: RegExp): State | undefined {
  const last = past.findLastIndex(({ name }) => !names.test(name));
  return past[last + 1]?.state;
}

export function undoStep<State>({ present, past, future }: UndoHistory<State>): UndoHistory<State> {
  const last = past.at(-1);
  if (!last) return { present, past, future, mergeKey: undefined };
  return {
    present: last.state,
    past: past.slice(0, -1),
    future: [{ state: present, name: last.name }, ...future],
    mergeKey: undefined,
  };
}

export function redoStep<State>({ present, past, future }: UndoHistory<State>): UndoHistory<State> {
  const [next, ...rest] = future;
  if (!next) return { present, past, future, mergeKey: undefined };
  return {
    present: next.state,
    past: [...past, { state: present, name: next.name }],
    future: rest,
    mergeKey: undefined,
  };
}
