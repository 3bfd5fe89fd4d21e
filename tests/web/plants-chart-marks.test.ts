import * as fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LimitLabels } from '../../web/src/features/plants/components/chart-marks.tsx';

/** Height of a label of 12 px text in pixels. */
const LABEL_HEIGHT = 16;
const scale = { dry: 0, wet: 1023 };

test('PLT-9 no label of an alert limit stands on another, whatever the limits and readings are', () => {
  const line = fc.record({ limit: fc.integer({ min: 1, max: 90 }), raw: fc.integer({ min: 0, max: 1023 }) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (plants) => {
      const lines = plants.map(({ limit, raw }, number) => ({
        plant: `plant ${number}`,
        number,
        readings: [{ time: 0, raw }],
        calibration: undefined,
        scale,
        limit,
        faults: [],
        dryAt: undefined,
      }));
      const html = renderToStaticMarkup(createElement(LimitLabels, { lines }));
      const tops = [...html.matchAll(/class="([^"]*)" style="[^"]*top:([\d.]+)px/g)]
        .map(
          ([, classes = '', top]) => Number(top) - (classes.includes('-translate-y-full') ? LABEL_HEIGHT : 0),
        )
        .sort((a, b) => a - b);
      expect(tops.length).toBeGreaterThan(0);
      for (const [at, top] of tops.slice(1).entries())
        expect(top - (tops[at] ?? 0)).toBeGreaterThanOrEqual(LABEL_HEIGHT);
    }),
  );
});
