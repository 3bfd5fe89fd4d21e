import type { PlantState } from '#contract/plants';
import { useQuery } from '@tanstack/react-query';
import type { LiveState } from '../live.ts';
import { outlookQuery, rhythmOf } from '../queries.ts';
import { PlantCard } from './plant-card.tsx';

type Props = {
  states: readonly PlantState[];
  live: LiveState;
  numbers: ReadonlyMap<string, number>;
  onSettings: (state: PlantState, from: HTMLElement) => void;
};

export function PlantCards({ states, live, numbers, onSettings }: Props) {
  const { data: outlook } = useQuery({
    ...outlookQuery,
    enabled: states.length > 0,
    refetchInterval: rhythmOf(live).outlook,
  });
  const inOrder = states.toSorted((a, b) => (numbers.get(a.plant) ?? 0) - (numbers.get(b.plant) ?? 0));
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-3">
      {inOrder.map((state) => (
        <PlantCard
          key={state.topic}
          state={state}
          number={numbers.get(state.plant) ?? 0}
          lately={outlook?.history.get(state.plant)}
          wateredAt={outlook?.wateredAt.get(state.plant)}
          onSettings={onSettings}
        />
      ))}
    </ul>
  );
}
