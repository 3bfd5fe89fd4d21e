/* `node tests/support/plants/draw.ts` draws the pictures of docs/plants.md, from simulated readings. */
import { moisturePercent } from '#contract/moisture/percent';
import type { Reading } from '#contract/moisture/series';
import { assessmentOf, type Assessment } from '#contract/moisture/assessment';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { writeFileSync } from 'node:fs';
import { historyOf, intervalsAt, intervalsOf } from './history.ts';
import { gaussianOf, randomOf } from './random.ts';

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [720, 220, 34, 24];

type Picture = {
  name: string;
  title: string;
  readings: readonly Reading[];
  from: number;
  to: number;
  /** A horizontal line, in percent. */
  limit?: number;
  drops?: readonly Reading[];
  bands?: readonly { from: number; to: number; text: string }[];
  /** A forecast: from a point to the range in which the limit is reached. */
  range?: { at: number; percent: number; low: number; high: number; limit: number };
};

function draw({ name, title, readings, from, to, limit, drops = [], bands = [], range }: Picture): void {
  const x = (time: number) => (LEFT + ((time - from) / (to - from)) * (WIDTH - LEFT - 6)).toFixed(1);
  const y = (percent: number) => (HEIGHT - BOTTOM - (percent / 100) * (HEIGHT - BOTTOM - 8)).toFixed(1);
  const seen = readings.filter(({ time }) => time >= from && time <= to);
  const each = Math.max(1, Math.floor(seen.length / 500));
  const line = seen
    .filter((_, at) => at % each === 0)
    .map(({ time, raw }) => `${x(time)},${y(moisturePercent(raw))}`)
    .join(' ');
  const days = Array.from({ length: Math.floor((to - from) / DAY_MS) }, (_, day) => from + day * DAY_MS);
  const parts = [
    ...bands.map(
      (band) =>
        `<rect class="band" x="${x(band.from)}" y="8" width="${(Number(x(band.to)) - Number(x(band.from))).toFixed(1)}" height="${HEIGHT - BOTTOM - 8}"/><text x="${x(band.from)}" y="20" dx="3">${band.text}</text>`,
    ),
    ...[0, 25, 50, 75, 100].map(
      (percent) =>
        `<path class="grid" d="M${LEFT} ${y(percent)}H${WIDTH - 6}"/><text x="${LEFT - 4}" y="${y(percent)}" dy="4" text-anchor="end">${percent}</text>`,
    ),
    ...days.map((day, at) =>
      days.length > 12 && at % 3 > 0 ? '' : `<text x="${x(day)}" y="${HEIGHT - 6}">day ${at}</text>`,
    ),
    limit === undefined ? '' : `<path class="limit" d="M${LEFT} ${y(limit)}H${WIDTH - 6}"/>`,
    `<polyline class="line" points="${line}"/>`,
    range
      ? `<path class="cone" d="M${x(range.at)} ${y(range.percent)}L${x(range.low)} ${y(range.limit)}H${x(range.high)}Z"/>`
      : '',
    ...drops.map(
      ({ time, raw }) => `<circle class="drop" cx="${x(time)}" cy="${y(moisturePercent(raw))}" r="5"/>`,
    ),
  ];
  const style =
    'text{font:11px sans-serif;fill:#777}.grid{stroke:#8883}.line{fill:none;stroke:#2a8f5b;stroke-width:1.5}.limit{stroke:#c2571a;stroke-dasharray:2 4}.band{fill:#c2571a;fill-opacity:.15}.drop{fill:#2b7fd0}.cone{fill:#2a8f5b;fill-opacity:.2;stroke:#2a8f5b;stroke-dasharray:5 4}';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${title}</title><style>${style}</style>${parts.join('')}</svg>\n`;
  writeFileSync(`docs/images/plants/${name}.svg`, svg);
}

const START = Date.UTC(2026, 5, 1);
const random = gaussianOf(randomOf(2));
const made = (days: number, percentAt: (day: number) => number, every = 10 * MINUTE_MS): Reading[] =>
  Array.from({ length: Math.floor((days * DAY_MS) / every) }, (_, at) => ({
    time: START + at * every,
    raw: Math.max(
      0,
      Math.min(1023, Math.round(1023 - 10.23 * (percentAt((at * every) / DAY_MS) + 0.4 * random()))),
    ),
  }));
const at = (day: number) => START + day * DAY_MS;
const settings = { dry: null, wet: null, alert_below: 20, alert_clear: 25 };

function told(
  readings: readonly Reading[],
  from: number,
  to: number,
  step = HOUR_MS,
): { now: number; assessment: Assessment }[] {
  const intervals = intervalsAt(readings);
  const assessments: { now: number; assessment: Assessment }[] = [];
  for (let now = from; now <= to; now += step)
    assessments.push({
      now,
      assessment: assessmentOf(intervals(now), settings, assessments.at(-1)?.assessment ?? null),
    });
  return assessments;
}

/** The periods in which `says` gives a text. */
function bandsOf(
  assessments: readonly { now: number; assessment: Assessment }[],
  says: (assessment: Assessment) => string | null,
) {
  const bands: { from: number; to: number; text: string }[] = [];
  for (const { now, assessment } of assessments) {
    const text = says(assessment);
    const open = bands.at(-1);
    if (text !== null && open?.text === text && open.to >= now - 2 * HOUR_MS) open.to = now;
    else if (text !== null) bands.push({ from: now, to: now, text });
  }
  return bands;
}

const swing = (day: number) => 3 * Math.cos(2 * Math.PI * (day - 0.6));
const wet = made(10, (day) => {
  const pour = day >= 1.4 ? 22 + 35 * Math.exp(-(day - 1.4) * 60) : 0;
  const doses = Math.max(0, Math.min(5, Math.floor((day - 4.3) / 0.028) + 1)) * 5;
  const saucer = Math.max(0, Math.min(1, (day - 7.5) / 0.15)) * 28;
  return 38 - 5 * day + pour + doses + saucer + swing(day);
});
const watered = assessmentOf(intervalsOf(wet), settings, null);
draw({
  name: 'waterings',
  title: 'A pour that runs past the sensor, five doses, and a saucer: one watering each',
  readings: wet,
  from: at(0),
  to: at(10),
  drops: watered.waterings.map(({ before }) => before),
});

const history = historyOf({ seed: 40, every: 15 * MINUTE_MS });
const until = history.start + 16 * DAY_MS;
const known = history.readings.filter(({ time }) => time <= until);
const below = 25;
const { forecast, level } = assessmentOf(
  intervalsAt(known)(until),
  { ...settings, alert_below: below, alert_clear: 30 },
  null,
);
if (!forecast || forecast.high === null || !level) throw new Error('this history has no range to draw');
draw({
  name: 'forecast',
  title: 'A forecast and its range',
  readings: known,
  from: history.start,
  to: history.start + 25 * DAY_MS,
  limit: below,
  range: {
    at: until,
    percent: moisturePercent(level.raw),
    low: until + forecast.low * DAY_MS,
    high: until + forecast.high * DAY_MS,
    limit: below,
  },
});

const drying = made(9, (day) => 27 - 1.6 * day + swing(day) + (day >= 7.5 ? 30 : 0));
draw({
  name: 'dry',
  title: 'Dry is told once, although single readings cross the limit each day, and ends after water',
  readings: drying,
  from: at(0),
  to: at(9),
  limit: settings.alert_below,
  bands: bandsOf(told(drying, at(1), at(9)), ({ dry }) => (dry ? 'dry' : null)),
});

const share = randomOf(4);
const sick = made(9, (day) => {
  if (day > 2.2 && day < 2.7) return 1.5;
  if (day > 5 && day < 5.8 && share() < 0.3) return 0;
  if (day > 7.5 && day < 8.2) return 100;
  return 55 - 3 * day + swing(day);
});
draw({
  name: 'faults',
  title: 'Out of the soil, a loose contact, and a short circuit',
  readings: sick,
  from: at(0),
  to: at(9),
  bands: bandsOf(told(sick, at(1), at(9)), ({ fault }) => fault?.kind ?? null),
});
