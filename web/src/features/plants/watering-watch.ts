import { findWaterings, WATERING_WITHIN_MS, type Sample } from '#contract/moisture';
import { calibrationOf, plantPercent } from '#contract/moisture/percent';
import type { PlantState } from '#contract/plants';
import { newestOf } from './history.ts';

/** Watches the newest readings for a watering, so that the list of waterings is asked for when there is a new one. */
export class WateringWatch {
  /** By topic, of the last hour: as long as the rule looks around a rise. */
  readonly #lately = new Map<string, Sample[]>();
  readonly #known = new Map<string, string>();

  /** Notes the newest readings; true when with them there is a watering, or a higher one, that was not there before. */
  hasSeenWater(states: readonly PlantState[]): boolean {
    return states.filter((state) => this.#isWatered(state)).length > 0;
  }

  #isWatered(state: PlantState): boolean {
    const newest = newestOf(state);
    const held = this.#lately.get(state.topic) ?? [];
    if (!newest || newest.time <= (held.at(-1)?.time ?? Number.NEGATIVE_INFINITY)) return false;
    const percent = plantPercent(newest.raw, calibrationOf(state));
    const lately = [...held, { time: newest.time, percent }].filter(
      ({ time }) => time >= newest.time - 2 * WATERING_WITHIN_MS,
    );
    this.#lately.set(state.topic, lately);
    const last = findWaterings(lately).at(-1);
    if (!last) return false;
    const name = `${last.time} ${last.after}`;
    const isNew = this.#known.get(state.topic) !== name;
    this.#known.set(state.topic, name);
    return isNew;
  }
}
