import type { PlantState } from '#contract/plants';
import { PlantCard, type CardActions } from './plant-card.tsx';

type Props = CardActions & {
  states: readonly PlantState[];
  numbers: ReadonlyMap<string, number>;
};

export function PlantCards({ states, numbers, ...actions }: Props) {
  const inOrder = states.toSorted((a, b) => (numbers.get(a.plant) ?? 0) - (numbers.get(b.plant) ?? 0));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3">
      {inOrder.map((state) => (
        <PlantCard key={state.topic} state={state} number={numbers.get(state.plant) ?? 0} {...actions} />
      ))}
    </ul>
  );
}
