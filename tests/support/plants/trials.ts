import { findWaterings, type Watering } from '#contract/moisture/waterings';
import { DAY_MS, HOUR_MS } from '#contract/time';
import { assessmentOf, type AssessmentBefore } from '#contract/moisture/assessment';
import {
  historyOf,
  intervalsAt,
  intervalsOf,
  type History,
  type Options,
  type TrueWatering,
} from './history.ts';

/** A watering must be found if it has made the soil wetter by this many percentage points. */
const CLEAR = 8;

/** Compares found waterings with the true waterings: how many should be found, which are missed or wrong. */
export function judgeWaterings(history: History, found: readonly Watering[]) {
  const { waterings, every, end } = history;
  const patience = Math.max(2 * HOUR_MS, 2 * every);
  // Of a watering during an outage, only the readings before and after it are known.
  const isLate = (truth: TrueWatering, { before }: Watering) =>
    history.troubles.some(
      ({ from, to }) =>
        truth.from >= from - patience &&
        truth.from <= to &&
        before.time >= from - patience &&
        before.time <= to + patience,
    );
  const isAt = (truth: TrueWatering, { before, after }: Watering) =>
    (before.time >= truth.from - patience && before.time <= truth.until + patience) ||
    (before.time <= truth.until && after.time >= truth.from && after.time - before.time > patience);
  const isNear = (truth: TrueWatering, watering: Watering) =>
    isAt(truth, watering) || isLate(truth, watering);
  const isHidden = ({ from, until }: TrueWatering) =>
    history.troubles.some((each) => each.from - patience <= until && each.to + patience >= from);
  const asked = waterings.filter(
    (truth) =>
      truth.rise >= CLEAR && truth.until < end - Math.max(6 * HOUR_MS, 6 * every) && !isHidden(truth),
  );
  const missed = asked.filter((truth) => !found.some((each) => isNear(truth, each)));
  const wrong = found.filter((each) => !waterings.some((truth) => isNear(truth, each)));
  return { asked: asked.length, missed, wrong };
}

export function tryWaterings(many: readonly Options[]) {
  const sum = { asked: 0, missed: [] as string[], wrong: [] as string[], days: 0 };
  for (const options of many) {
    const history = historyOf(options);
    const { asked, missed, wrong } = judgeWaterings(history, findWaterings(intervalsOf(history.readings)));
    const day = (time: number) => ((time - history.start) / DAY_MS).toFixed(2);
    sum.asked += asked;
    sum.days += (history.end - history.start) / DAY_MS;
    sum.missed.push(
      ...missed.map(({ way, from, rise }) => `${options.seed} ${way} ${day(from)} ${rise.toFixed(0)}`),
    );
    sum.wrong.push(
      ...wrong.map(({ before, after }) => `${options.seed} ${day(before.time)} ${before.raw} → ${after.raw}`),
    );
  }
  return sum;
}

/** Assessments of a history, one after another, every `step` milliseconds from the fourth day on. */
export function* assessmentsOver(history: History, below: number, step: number) {
  const at = intervalsAt(history.readings);
  const { dry, wet } = history.scale;
  const settings = { dry, wet, alert_below: below, alert_clear: Math.min(100, below + 5) };
  let before: AssessmentBefore | null = null;
  for (let now = history.start + 4 * DAY_MS; now <= history.end; now += step) {
    const assessment = assessmentOf(at(now), settings, before);
    before = assessment;
    yield { now, assessment };
  }
}

/** Compares forecasts with the truth: how many ranges, and how many “at least” forecasts, were right. */
export function tryForecasts(many: readonly Options[]) {
  const sum = { asked: 0, given: 0, right: 0, atLeast: 0, atLeastRight: 0, widths: [] as number[] };
  for (const options of many) {
    const history = historyOf(options);
    const below = Math.max(15, history.thirst - 4);
    for (const { now, assessment } of assessmentsOver(history, below, 3 * HOUR_MS)) {
      const [truth, forecast] = [history.daysUntil(now, below), assessment.forecast];
      if (truth >= 0.5) sum.asked += 1;
      if (truth < 0.5 || !forecast) continue;
      sum.given += 1;
      if (forecast.high === null) {
        sum.atLeast += 1;
        if (truth >= forecast.low) sum.atLeastRight += 1;
      } else {
        sum.widths.push(forecast.high / Math.max(0.25, forecast.low));
        if (truth >= forecast.low && truth <= forecast.high) sum.right += 1;
      }
    }
  }
  return sum;
}

/** Compares periods of dry soil with the alerts. */
export function tryDry(many: readonly Options[]) {
  const sum = { spells: 0, once: 0, extra: 0, days: 0, wrong: [] as string[] };
  for (const options of many) {
    const history = historyOf({ delay: 4 * DAY_MS, ...options });
    const below = history.thirst + 1;
    const alerts: { from: number; to: number }[] = [];
    let isTold = false;
    for (const { now, assessment } of assessmentsOver(history, below, HOUR_MS)) {
      if (assessment.dry && !isTold) alerts.push({ from: now, to: history.end });
      const open = alerts.at(-1);
      if (!assessment.dry && isTold && open) open.to = now;
      isTold = assessment.dry !== null;
    }
    const all = spellsOf(history, below);
    const spells = all.filter(({ from, to }) => from >= history.start + 5 * DAY_MS && to < history.end);
    sum.days += (history.end - history.start) / DAY_MS - 4;
    for (const { from, to } of spells) {
      const told = alerts.filter((each) => each.from <= to && each.to >= from).length;
      if (to - from < DAY_MS) continue;
      sum.spells += 1;
      if (told === 1) sum.once += 1;
      else
        sum.wrong.push(
          `${options.seed} told ${told}: ${((from - history.start) / DAY_MS).toFixed(1)}–${((to - history.start) / DAY_MS).toFixed(1)}`,
        );
    }
    const extra = alerts.filter((each) => !all.some(({ from, to }) => each.from <= to && each.to >= from));
    sum.extra += extra.length;
    sum.wrong.push(
      ...extra.map(
        ({ from, to }) =>
          `${options.seed} extra ${((from - history.start) / DAY_MS).toFixed(1)}–${((to - history.start) / DAY_MS).toFixed(1)}`,
      ),
    );
  }
  return sum;
}

/** The periods in which the soil was really drier than a limit. */
function spellsOf({ soil, start, end }: History, below: number) {
  const spells: { from: number; to: number }[] = [];
  let from: number | null = null;
  soil.forEach((level, at) => {
    const time = start + (at * (end - start)) / soil.length;
    if (level < below) from ??= time;
    else if (from !== null) {
      spells.push({ from, to: time });
      from = null;
    }
  });
  if (from !== null) spells.push({ from, to: end });
  return spells;
}
