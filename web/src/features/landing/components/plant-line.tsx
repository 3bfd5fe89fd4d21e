import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { loadParts } from '../load-parts.ts';
import { plantQuery } from '../queries.ts';
import { MoistureLine } from './moisture-line.tsx';

/** In the first HTML it is drawn already, so its code may come late; memoised as in drawn.tsx. */
const WeekLine = memo(
  lazyPart(async () => (await loadParts()).WeekLine, {
    pending: <MoistureLine />,
    crashClassName: 'hidden',
  }),
);

/** The last week of the plant that is open to the public; without one, the drawn line. Both are of one height. */
export function PlantLine() {
  const { data } = useQuery(plantQuery);
  return (
    <div data-edge="plant" className="h-28 sm:h-40">
      {data?.last ? <WeekLine plant={data} /> : <MoistureLine />}
    </div>
  );
}
