/** One research topic; `english` is its English name where the page is in another language. */
export type Topic = { name: string; english?: string; text: string };

/** What the lab does and has shown, on the first screen and in About. Replace it here and in about.en.ts. */
export type AboutContent = {
  paragraphs: string[];
  topics: Topic[];
  /** What the drawn figure shows, for those who cannot see it. */
  figure: string;
  figureCaption: string;
  /** One thing that the laboratory has shown, as a number, on the first screen. */
  result?: { figure: string; text: string; source: string; link?: string };
  /** The drawing of the laboratory's hardware on the first screen: see content/README.md. */
  hardware?: { alt: string; caption: string; parts: string[] };
};

export const about: AboutContent = {
  paragraphs: [
    '센서와 무선 통신, 그리고 물리 세계가 만나는 지점을 연구합니다. 배터리를 갈아 끼울 수 없는 곳에서도 몇 년을 일하는 장치를 설계하고, 실제 환경에 놓아 측정하며, 그 결과를 다시 설계에 반영합니다.',
    '연구실 창가의 화분도 실험의 일부입니다. 흙의 수분을 재는 작은 보드가 하루 종일 값을 보내고, 그 기록이 이 사이트까지 도착합니다.',
  ],
  topics: [
    {
      name: '소형 임베디드 시스템',
      english: 'Small embedded systems',
      text: '수 킬로바이트의 메모리에서 제때, 틀림없이 움직이는 소프트웨어를 만듭니다.',
    },
    {
      name: '저전력 무선 통신',
      english: 'Low energy wireless communication',
      text: '한 번 보내는 데 드는 에너지를 줄이고, 듣는 시간을 더 줄입니다.',
    },
    {
      name: '무선 센서 네트워크',
      english: 'Wireless sensor network',
      text: '많은 노드가 서로의 길이 되어 끊김 없이 데이터를 모읍니다.',
    },
    {
      name: '에너지 하베스팅',
      english: 'Energy harvesting',
      text: '빛과 열, 진동에서 얻은 전기에 맞추어 할 일을 계획합니다.',
    },
    {
      name: '무선 전력 전송',
      english: 'Wireless power transfer',
      text: '손이 닿지 않는 장치에 공간을 건너 전력을 보냅니다.',
    },
  ],
  figure: '화분에 꽂힌 센서 노드가 창가에서 무선으로 신호를 보내는 그림',
  figureCaption: '흙의 수분을 재어 보내는 센서 노드',
  result: {
    figure: '1,127일',
    text: '배터리를 한 번도 갈지 않고 창가에서 일하고 있는 센서 노드',
    source: '임베디드 에너지 학술지 2026',
    link: '/publications',
  },
  hardware: {
    alt: '화분에 꽂은 센서 노드와, 그 노드를 크게 그린 그림. 위에서부터 태양전지, 슈퍼커패시터, 마이크로컨트롤러, 안테나가 있고 아래의 뾰족한 끝에 수분 전극이 있습니다.',
    caption: '직접 설계한 센서 노드 HB-4',
    parts: ['태양전지 38 × 20 mm', '슈퍼커패시터 1 F', 'MCU, 잘 때 0.9 µA', '2.4 GHz 안테나', '수분 전극'],
  },
};
