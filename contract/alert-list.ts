import { DAY_MS, MINUTE_MS } from './time.ts';
import {
  CERTIFICATE_EXPIRY_MS,
  CLOCK_SKEW_MS,
  DEAD_LETTERS_MIN,
  minFreeDiskBytes,
  DATABASE_FULL_IN_DAYS,
  PLAN_SHARE,
  ROLLUPS_LATE_MS,
  HEARTBEAT_LATE_MS,
} from './alert-limits.ts';
import { SPOOL_ALERTS } from './first-steps.ts';
import { PLANTS_MAX } from './plants.ts';

/* Every kind of alert. The list in docs/operations.md is generated from this list, in the same order. */

export type AlertDefinition = {
  /** The part of the watch that begins and ends this alert; null if the alert is about the watch itself. */
  check: WatchPart | null;
  /** The alert is about the plant `name`; all others are about the path from the bridge to the database. */
  isOfPlant?: true;
  /** Describes the problem; `name` is the plant, bridge or task concerned. */
  text: (name: string) => string;
  /** What to do first, for the reader of the page 시스템 상태. */
  step: string;
  /** English texts: a line of the list in docs/operations.md, and the first step in a message. */
  page: { what: string; begins: string; means: string; first: string };
};

export const taskNames = {
  watch: '상태 점검',
  retention: '보관 기한 지난 자료 삭제',
  rollups: '측정값 집계',
};
export type TaskName = keyof typeof taskNames;

/** The parts of the watch. If one part fails, the other parts still run. */
export type WatchPart =
  'boards' | 'bridges' | 'plants_database' | 'backups' | 'tasks' | 'usage' | 'alerts' | 'saving' | 'database';

export const watchPartFailureTexts: Record<WatchPart, string> = {
  boards: '화분의 상태를 읽지 못합니다',
  bridges: '브리지의 상태를 읽지 못합니다',
  plants_database: '화분 데이터베이스가 응답하지 않습니다',
  backups: '백업 기록을 읽지 못합니다',
  tasks: '예약 작업의 기록을 읽지 못합니다',
  usage: '데이터베이스의 크기를 읽지 못합니다',
  alerts: '이전 알림을 읽지 못합니다',
  saving: '데이터베이스에 저장하지 못합니다',
  database: '데이터베이스가 응답하지 않습니다',
};

const textOf = (words: Record<string, string>, name: string) => words[name] ?? name;
const minutes = (ms: number) => `${ms / MINUTE_MS} min`;

const JOURNAL = '`journalctl -u bridge` on the Pi';

export const alertList = {
  dry: {
    check: 'boards',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 물이 부족합니다`,
    step: '물을 주세요. 그래도 값이 오르지 않으면 센서가 흙에 꽂혀 있는지 확인하세요.',
    page: {
      what: 'a dry plant',
      begins: "when the soil stays below the plant's own limit (알림 기준): [plants.md](plants.md)",
      means: 'the soil needs water',
      first: 'water the plant; if the value does not rise, check that the sensor is in the soil',
    },
  },
  sensor: {
    check: 'boards',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 센서를 확인하세요`,
    step: '센서가 흙에 꽂혀 있는지, 선이 단단히 연결되어 있는지 확인하세요. 그동안 물이 필요한지는 알 수 없습니다.',
    page: {
      what: 'a sensor that cannot be right',
      begins: 'when soil cannot have such values: [plants.md](plants.md)',
      means: 'it is out of the soil, or its wire is loose or cut',
      first: 'put the sensor back and press its plugs on; if that does not help, replace it',
    },
  },
  board: {
    check: 'boards',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 측정값이 오지 않습니다`,
    step: '보드의 전원과 Wi-Fi를 확인하세요. 다른 화분도 끊겼으면 공유기와 브로커를 먼저 확인하세요.',
    page: {
      what: 'a silent board',
      begins: `when nothing was received for the plant's own limit (수신 끊김 판정 시간), at least ${minutes(HEARTBEAT_LATE_MS)}`,
      means: 'the board is off, or cannot reach the network or the broker',
      first: 'check its power and WiFi; if others are silent too, the router and the broker',
    },
  },
  clock: {
    check: 'boards',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 보드의 시계가 맞지 않습니다`,
    step: '보드가 시각을 받는 서버(NTP)에 닿는지, 시간대를 붙여 보내는지 확인하세요. 측정값은 계속 저장됩니다.',
    page: {
      what: "a board's wrong clock",
      begins: `when three deliveries in a row are more than ${minutes(CLOCK_SKEW_MS)} off`,
      means: 'its readings have wrong times',
      first: "check the board's time server (NTP) and its time zone",
    },
  },
  quota: {
    check: 'bridges',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 정해진 양보다 많은 측정값을 보내고 있습니다`,
    step: '보드의 프로그램이 같은 값을 되풀이해 보내는지 확인하세요. 다른 화분에는 영향이 없습니다.',
    page: {
      what: 'a board over its quota',
      begins: 'at once',
      means: 'its readings wait; nothing else is affected',
      first: 'check the readings: the board repeats them, or sends many stored readings at once',
    },
  },
  reconnecting: {
    check: 'bridges',
    isOfPlant: true,
    text: (name) => `화분 ${name}: 보드의 연결이 자꾸 끊깁니다`,
    step: '같은 이름과 비밀번호를 쓰는 보드가 또 있는지 확인하세요. 둘이면 서로의 연결을 끊습니다. 하나뿐이면 Wi-Fi 신호와 전원을 확인하세요.',
    page: {
      what: 'a board that connects again and again',
      begins: 'when a bridge saw it lost six times in ten minutes',
      means: 'two boards have the same name, or its WiFi is bad',
      first: 'look for a board with the same name and password; then WiFi and power',
    },
  },
  plants: {
    check: 'boards',
    text: () =>
      `화분: ${PLANTS_MAX.toLocaleString('ko')}개로 한도에 이르러 새 이름의 측정값을 저장하지 않습니다`,
    step: '화분 관리에서 쓰지 않는 화분을 삭제하세요.',
    page: {
      what: 'too many plants',
      begins: `at once: there are ${PLANTS_MAX.toLocaleString('en')}`,
      means: 'readings under new names are rejected',
      first: 'delete entries that are no plants on 화분 관리',
    },
  },
  bridge: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 연결이 끊겼습니다`,
    step: 'Raspberry Pi의 전원, 네트워크와 시계(date)를 확인하고 systemctl status bridge 명령을 실행하세요.',
    page: {
      what: 'a silent bridge',
      begins: `after ${minutes(HEARTBEAT_LATE_MS)}`,
      means:
        'the Pi is off, has no network or a wrong clock, or the bridge does not run; readings wait at the broker',
      first: 'check its power, network and clock (`date`), then `systemctl status bridge`',
    },
  },
  broker: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: MQTT 브로커에 연결하지 못하고 있습니다`,
    step: 'Raspberry Pi에서 systemctl status mosquitto 명령을 실행하고 시계(date)와 인증서의 만료일을 확인하세요.',
    page: {
      what: 'a lost broker',
      begins: `when a working bridge has had no broker for ${minutes(HEARTBEAT_LATE_MS)}`,
      means: 'Mosquitto does not run or refuses the bridge; boards keep what they can',
      first:
        '`systemctl status mosquitto`, then the clock (`date`) and the end of the certificate (`cps-bridge certificate`)',
    },
  },
  spool: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 보내지 못한 측정값이 쌓이고 있습니다`,
    step: 'Raspberry Pi의 인터넷 연결을 확인하고 journalctl -u bridge 명령으로 실패한 이유를 확인하세요.',
    page: {
      what: 'a growing spool',
      begins: `when its oldest reading waits for ${minutes(HEARTBEAT_LATE_MS)}`,
      means: 'the ingest worker accepts nothing; nothing is lost while the disk has room',
      first: `${JOURNAL}: why the last batch failed`,
    },
  },
  spool_unknown: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 저장 상태를 알 수 없습니다`,
    step: 'journalctl -u bridge 명령으로 브리지가 남긴 오류를 확인하세요.',
    page: {
      what: 'an unknown spool',
      begins: `when a working bridge has not reported it for ${minutes(HEARTBEAT_LATE_MS)}`,
      means: 'the bridge could not open its spool since it started',
      first: JOURNAL,
    },
  },
  spool_full: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 디스크가 가득 차 측정값을 받지 못합니다`,
    step: SPOOL_ALERTS.full.step,
    page: {
      what: 'a spool on a full disk',
      begins: 'at once',
      means: 'no reading is accepted; broker and boards keep what they can',
      first: SPOOL_ALERTS.full.first,
    },
  },
  spool_readonly: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 디스크가 읽기 전용이라 측정값을 받지 못합니다`,
    step: SPOOL_ALERTS.readonly.step,
    page: {
      what: 'a spool on a read-only disk',
      begins: 'at once',
      means: 'most often the SD card is failing',
      first: SPOOL_ALERTS.readonly.first,
    },
  },
  spool_corrupt: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 보관 파일이 손상되었습니다`,
    step: SPOOL_ALERTS.corrupt.step,
    page: {
      what: 'a damaged spool',
      begins: 'at once',
      means: 'SQLite cannot read the file',
      first: SPOOL_ALERTS.corrupt.first,
    },
  },
  spool_failed: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 보관 파일에 저장하지 못합니다`,
    step: SPOOL_ALERTS.failed.step,
    page: {
      what: 'an unwritable spool',
      begins: 'at once: any other reason',
      means: 'its file cannot be opened or written',
      first: SPOOL_ALERTS.failed.first,
    },
  },
  dead_letters: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 처리하지 못한 메시지가 들어오고 있습니다`,
    step: 'Raspberry Pi에서 sudo cps-bridge dead-letters list로 이유를 보고, 보드의 프로그램이나 브리지의 키를 고치세요.',
    page: {
      what: 'dead letters',
      begins: `when ${DEAD_LETTERS_MIN} exist and one of them is new`,
      means: 'messages of a board were not understood or were refused; they are kept',
      first:
        '`sudo cps-bridge dead-letters list` on the Pi (`npm run dead-letters -- list` in the local run) says why; fix the board or the key, then `replay`',
    },
  },
  certificate: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 브로커의 인증서가 곧 만료됩니다`,
    step: 'Raspberry Pi에서 시계(date)가 맞는지 보고 sudo cps-bridge certificate renew를 실행하세요. 만료되면 아무도 연결하지 못합니다.',
    page: {
      what: "a broker's certificate that expires",
      begins: `${CERTIFICATE_EXPIRY_MS / DAY_MS} days before its end`,
      means: 'after it no board and no bridge can connect',
      first:
        'on the Pi check the clock (`date`), then `sudo cps-bridge certificate renew` ([more](../firmware-bridge/README.md))',
    },
  },
  disk: {
    check: 'bridges',
    text: (name) => `브리지 ${name}: 디스크에 남은 공간이 부족합니다`,
    step: 'Raspberry Pi에서 df -h /var/lib/cps-bridge 명령으로 확인하고 필요 없는 파일을 지우세요. 가득 차면 측정값을 받지 못합니다.',
    page: {
      what: "a bridge's disk that fills up",
      begins: `below ${minFreeDiskBytes(Infinity) / 1e9} GB free, on a small disk below a tenth of it`,
      means: 'the spool can hold little more',
      first: '`df -h /var/lib/cps-bridge`, `journalctl --vacuum-size=100M`',
    },
  },
  backup: {
    check: 'backups',
    text: () => '백업: 새 백업이 없습니다',
    step: '운영자가 npm run backup을 실행해 이유를 확인합니다.',
    page: {
      what: 'a missing backup',
      begins: 'when one failed, or `BACKUP_ALERT_DAYS` after the last',
      means: 'changes since then could not be restored',
      first: 'run `npm run backup` by hand: it says why',
    },
  },
  drill: {
    check: 'backups',
    text: () => '복구 연습: 마지막 연습이 실패했습니다',
    step: '운영자가 npm run backup -- drill을 실행해 이유를 확인합니다. 그 백업으로는 복구하지 못할 수 있습니다.',
    page: {
      what: 'a failed drill',
      begins: 'when the last one failed',
      means: 'an archive cannot be restored',
      first: 'run `npm run backup -- drill` by hand: it says why; then try an older archive',
    },
  },
  database: {
    check: 'usage',
    /** An empty name means DB, any other name PLANTS_DB. */
    text: (name) => `${name === '' ? '' : '화분 '}데이터베이스: 요금제의 한도에 가까워졌습니다`,
    step: '유료 요금제로 바꾸고 CLOUDFLARE_PLAN을 paid로 정하거나, PLANT_READINGS_DAYS로 오래된 측정값을 지우세요.',
    page: {
      what: "the database's size",
      begins: `at ${PLAN_SHARE * 100} % of the plan's limit (500 MB free, 10 GB paid), or when it will be full within ${DATABASE_FULL_IN_DAYS} days`,
      means: 'D1 refuses every write once it is full',
      first: 'the paid plan and `CLOUDFLARE_PLAN`, or `PLANT_READINGS_DAYS`',
    },
  },
  rows: {
    check: 'usage',
    text: () => '데이터베이스: 하루에 쓸 수 있는 행을 거의 다 씁니다',
    step: '유료 요금제로 바꾸고 CLOUDFLARE_PLAN을 paid로 정하거나, 보드가 보내는 간격을 늘리세요.',
    page: {
      what: "the day's rows written",
      begins: `at ${PLAN_SHARE * 100} % of the free plan's 100,000, or when today's pace uses them up`,
      means: 'D1 refuses every write until 09:00 in Seoul: nobody signs in, readings wait',
      first: '[Which plan](deploy.md#which-plan)',
    },
  },
  task: {
    check: 'tasks',
    text: (name) => `예약 작업 ${textOf(taskNames, name)}: 실패했습니다`,
    step: '다음 차례에 다시 실행됩니다. 이틀 이어지면 Cloudflare의 로그에서 task_failed를 찾으세요.',
    page: {
      what: 'a scheduled task',
      begins: `the nightly one: when it failed; that of the rollups: when it failed and is ${minutes(ROLLUPS_LATE_MS)} behind`,
      means: 'old data are not deleted, or charts are slow',
      first: 'wait for its next run; then see the line `task_failed` of the log',
    },
  },
  watch: {
    check: null,
    text: (name) => `상태 점검: ${textOf(watchPartFailureTexts, name)}`,
    step: 'Cloudflare의 상태와 데이터베이스의 하루 한도를 확인하세요. 로그에는 watch_failed로 남습니다.',
    page: {
      what: 'the watch itself',
      begins: 'at once, if it cannot read or save something',
      means: 'other alerts may be missing',
      first: "check Cloudflare's status, the day's quota, then the line `watch_failed` of the log",
    },
  },
} satisfies Record<string, AlertDefinition>;
