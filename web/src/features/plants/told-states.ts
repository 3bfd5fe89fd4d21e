import type { LiveMessage } from '#contract/plants-socket';
import type { PlantState } from '#contract/plants';

/** The states after a message; undefined when it changes a list that is not there. */
export function withStates(
  held: readonly PlantState[] | undefined,
  { whole, states }: LiveMessage,
): PlantState[] | undefined {
  if (whole) return states;
  if (!held) return undefined;
  const told = new Map(states.map((state) => [state.topic, state]));
  const known = new Set(held.map(({ topic }) => topic));
  return [
    ...held.map((state) => told.get(state.topic) ?? state),
    ...states.filter(({ topic }) => !known.has(topic)),
  ];
}
