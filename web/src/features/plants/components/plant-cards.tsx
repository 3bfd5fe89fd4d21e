import type { PlantState } from '#contract/plants';
import { PlantCard, type CardActions } from './plant-card.tsx';

type Props = CardActions & {
  states: readonly PlantState[];
  numbers: ReadonlyMap<string, number>;
};

export function PlantCards({ states, numbers, ...actions }: Props) {
  const stateOf = new Map(states.map((state) => [state.plant, state]));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3">
      {[...numbers].map(([plant, number]) => {
        const state = stateOf.get(plant);
        return state && <PlantCard key={state.topic} state={state} number={number} {...actions} />;
      })}
    </ul>
  );
}
