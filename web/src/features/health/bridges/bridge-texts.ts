import type { RequestedBridgeTask, BoardKind, ListedBridge, BridgeTaskKind } from '#contract/bridges';
import { HOUR_MS } from '#contract/time';

export const boardProgramLabels: Record<BoardKind, string> = {
  micropython: 'MicroPython (ESP32)',
  esphome: 'ESPHome',
  arduino: 'Arduino (C++)',
};

/** Steps that set up a board after its files are saved. Commands are between backquotes. */
export const boardSetupSteps: Record<BoardKind, readonly string[]> = {
  micropython: [
    '압축을 풀고 settings.py에 Wi-Fi 이름과 비밀번호를 적습니다.',
    '보드에 MicroPython을 굽고 USB로 연결합니다.',
    '압축을 푼 폴더에서 입력합니다: `mpremote cp *.py : + reset`',
  ],
  esphome: [
    '압축을 풀고 같은 폴더의 secrets.yaml에 wifi_ssid와 wifi_password를 적습니다.',
    '보드를 USB로 연결하고 입력합니다: `esphome run *.yaml`',
  ],
  arduino: [
    '압축을 풀고 board/settings.h에 Wi-Fi 이름과 비밀번호를 적습니다.',
    'Arduino IDE에서 라이브러리 MQTT(256dpi, 2.5.3)를 설치합니다.',
    'board/board.ino를 열고 보드를 골라 업로드합니다.',
  ],
};

export const bridgeTaskLabels: Record<BridgeTaskKind, string> = {
  board_add: '보드 만들기',
  board_revoke: '보드 비밀번호 폐기',
  dead_letters: '메시지 목록',
  replay: '메시지 다시 처리',
  repair: '메시지 고쳐서 처리',
  backup: '백업',
};

type State = 'waiting' | 'taken' | 'lost' | 'done' | 'failed';

export const bridgeTaskStateLabels: Record<State, string> = {
  waiting: '브리지 응답 대기 중',
  taken: '브리지에서 처리 중',
  lost: '응답 없음',
  done: '완료',
  failed: '실패',
};

/** What to check when a bridge does not answer, in order. */
export const silentBridgeSteps: readonly string[] = [
  '위의 브리지 칸에서 마지막 보고 시각을 봅니다.',
  '브리지가 있는 컴퓨터에서 입력합니다: `sudo cps-bridge doctor` (이 컴퓨터의 실행이면 `npm run doctor`)',
  '빨간 줄이 없으면 다시 시작합니다: `sudo systemctl restart bridge`',
];

/** Says why a bridge cannot register boards on this screen, and what to do; null if the bridge can. */
export function noBoardsReason({ does, alive }: ListedBridge): string | null {
  if (does === null)
    return alive
      ? '이전 버전의 브리지입니다. 업그레이드하면 보드와 메시지를 여기에서 다룹니다.'
      : '브리지가 보고하면 보드와 메시지를 여기에서 다룹니다.';
  if (does.includes('board_add')) return null;
  return '보드의 비밀번호를 이 브리지가 바꿀 수 없습니다. 이 컴퓨터에서 실행 중이면 `npm start -- --lan`으로 시작하고, 설치한 브로커에서는 `cps-board add`로 만듭니다.';
}

/** Keeps the newest task of each kind from the last hour. */
export const recentBridgeTasks = (
  tasks: readonly RequestedBridgeTask[],
  now: number,
): RequestedBridgeTask[] =>
  tasks
    .filter(({ created_at }) => now - Date.parse(created_at) < HOUR_MS)
    .filter((task, at, all) => all.findIndex(({ kind }) => kind === task.kind) === at);

/** The plants for which a key may send readings. */
export const keyPlantsText = (plants: readonly string[] | null) =>
  plants === null ? '모든 화분' : `화분 ${plants.join(', ')}`;

/** Splits a typed list into plants; null if the list is empty. */
export function parsePlantList(text: string): string[] | null {
  const plants = text
    .split(',')
    .map((plant) => plant.trim())
    .filter((plant) => plant !== '');
  return plants.length === 0 ? null : plants;
}

export const boardArchiveName = (plant: string, program: BoardKind) =>
  `${plant.replaceAll(/[\\:*?"<>|]/g, '_')}-${program}.zip`;
