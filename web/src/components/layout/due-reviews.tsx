import { useQuery } from '@tanstack/react-query';
import { dueReviewsQuery } from '../../lib/due-reviews.ts';

/** Beside the users screen: how many months of the access log wait for their review. */
export function DueReviews() {
  const { data: due = 0 } = useQuery(dueReviewsQuery);
  if (due === 0) return null;
  return (
    <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice tabular-nums">
      점검할 달 {due}
    </span>
  );
}
