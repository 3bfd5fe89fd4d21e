import { troubleText, type AlertKey } from '#contract/alerts';
import type { Alert } from './rules.ts';

/** Some services truncate longer messages. */
const LINES_MAX = 20;

/** The message, one line per alert that began or ended; undefined when there is no news. */
export function messageOf(alerts: (AlertKey & Alert)[]): string | undefined {
  const lines = alerts.flatMap(({ kind, name, since, overAt, toldAt }) => {
    const trouble = withoutMarkup(troubleText({ kind, name }));
    return [
      ...(toldAt === null ? [`[발생] ${trouble} (${seoulTime(since)}부터)`] : []),
      ...(overAt === null ? [] : [`[해소] ${trouble} (${seoulTime(since)} – ${seoulTime(overAt)})`]),
    ];
  });
  if (lines.length === 0) return undefined;
  const rest = lines.length - LINES_MAX;
  return [...lines.slice(0, LINES_MAX), ...(rest > 0 ? [`그 밖에 ${rest}건`] : [])].join('\n');
}

const MARKS = new Map(
  Object.entries({ '<': '＜', '>': '＞', '@': '＠', '&': '＆', '`': '｀', '*': '＊', '[': '［', ']': '］' }),
);

/**
 * A board chooses its plant's name, and `<!channel>` or `@here` in it would call everybody. Each service has escapes of
 * its own, so the full-width forms stand there, which none of them reads as markup.
 */
const withoutMarkup = (text: string) => text.replaceAll(/[<>@&`*[\]]/g, (mark) => MARKS.get(mark) ?? mark);

const seoul = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** `2026.03.02 14:05` in Seoul. */
const seoulTime = (at: number) => seoul.format(at).replaceAll('-', '.');
