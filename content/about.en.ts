import type { AboutContent } from './about.ko.ts';

export const about: AboutContent = {
  paragraphs: [
    'Our work is where sensors, radio and the physical world meet. We design devices that run for years in places where nobody changes a battery, put them out into real conditions, measure, and take what we learn back to the drawing board.',
    'The plants on our windowsill are part of it. A small board in the soil reports its moisture all day long, and its record travels all the way to this site.',
  ],
  topics: [
    {
      name: 'Small embedded systems',
      text: 'Software that is right and on time in a few kilobytes of memory.',
    },
    {
      name: 'Low energy wireless communication',
      text: 'Less energy for each message sent, and still less for listening.',
    },
    {
      name: 'Wireless sensor network',
      text: 'Many nodes that are each other’s road, so that no reading is lost.',
    },
    {
      name: 'Energy harvesting',
      text: 'Work planned around the power that light, heat and vibration give.',
    },
    {
      name: 'Wireless power transfer',
      text: 'Power sent through the air to devices out of reach.',
    },
  ],
  figure: 'Drawing of a sensor node in a flower pot by a window, sending its reading by radio',
  figureCaption: 'A sensor node reporting the moisture of its soil',
  result: {
    figure: '1,127 days',
    text: 'and counting on one windowsill, without a change of battery',
    source: 'Embedded Energy Letters, 2026',
    link: '/en/publications',
  },
  hardware: {
    alt: 'A sensor node in a flower pot, and the same node drawn large. From the top: solar cell, supercapacitor, microcontroller and antenna; at the pointed lower end the moisture electrodes.',
    caption: 'HB-4, our own sensor node',
    parts: [
      'Solar cell, 38 × 20 mm',
      'Supercapacitor, 1 F',
      'MCU, 0.9 µA asleep',
      '2.4 GHz antenna',
      'Moisture electrodes',
    ],
  },
};
