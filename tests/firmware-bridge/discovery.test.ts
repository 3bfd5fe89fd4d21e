import { beforeEach, expect, test, vi } from 'vitest';
import type { ListedPlant, PlantList } from '#contract/readings';
import { Discovery } from '../../firmware-bridge/src/home-assistant/discovery.ts';
import { discoveryPayload, discoveryTopic } from '../../firmware-bridge/src/home-assistant/device.ts';
import { message } from './support/messages.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const OWN = 'lab/bridges/greenhouse/availability';

const plant = (name: string, changes: Partial<ListedPlant> = {}): ListedPlant => ({
  plant: name,
  name,
  dry: null,
  wet: null,
  stale_after_minutes: 60,
  ...changes,
});

let lists = 0;
function listOf(listed: ListedPlant[], only: string[] | null = null): PlantList {
  lists += 1;
  return { digest: `list ${lists}`, only, listed };
}

/** A broker with retained messages, for discovery. */
function broker(kept = new Map<string, string>(), hearsItself = false) {
  const published: string[] = [];
  const publish = (messages: readonly { topic: string; payload: string }[]) => {
    for (const { topic, payload } of messages) {
      published.push(topic);
      if (payload === '') kept.delete(topic);
      else kept.set(topic, payload);
    }
  };
  return {
    kept,
    /** The topics published since the last call. */
    news: () => published.splice(0).sort(),
    connect: (discovery: Discovery) => {
      discovery.connected(publish, hearsItself);
      for (const [topic, payload] of kept) discovery.heard(message(payload, { topic, retained: true }));
      discovery.heard(message('online', { topic: OWN }));
    },
  };
}

const read = (discovery: Discovery, ...plants: string[]) => {
  for (const name of plants) discovery.heard(message('512', { topic: `lab/plants/${name}/soil_moisture` }));
};

const fernTopic = discoveryTopic('fern');
const mossTopic = discoveryTopic('moss');

test('ING-10 a board is announced once it was heard, its plant is listed and what the broker has is known', () => {
  const discovery = new Discovery(true, OWN);
  const { connect, news, kept } = broker();
  expect(discovery.holds()).toBe('none');
  discovery.listed(listOf([plant('fern'), plant('elsewhere')]));
  read(discovery, 'fern', 'unknown');
  expect(news()).toEqual([]);
  connect(discovery);
  expect(news()).toEqual([fernTopic]);
  expect(kept.get(fernTopic)).toBe(discoveryPayload(plant('fern'), false));
  discovery.listed(listOf([plant('fern'), plant('elsewhere'), plant('unknown')]));
  expect(news()).toEqual([discoveryTopic('unknown')]);
  expect(discovery.holds()).toBe(`list ${lists}`);
});

test('ING-10 nothing is published again when nothing has changed: neither after another list nor another connection nor a restart', () => {
  const { connect, news, kept } = broker();
  const first = new Discovery(true, OWN);
  connect(first);
  read(first, 'fern', 'moss');
  first.listed(listOf([plant('fern'), plant('moss')]));
  expect(news()).toEqual([fernTopic, mossTopic]);
  first.listed(listOf([plant('fern'), plant('moss')]));
  read(first, 'fern');
  first.disconnected();
  connect(first);
  expect(news()).toEqual([]);
  // After a restart the bridge knows the boards from the retained messages.
  const second = new Discovery(true, OWN);
  connect(second);
  second.listed(listOf([plant('fern'), plant('moss', { name: '이끼' })]));
  expect(news()).toEqual([mossTopic]);
  expect(kept.get(mossTopic)).toContain('이끼');
});

test('ING-10 a plant that is hidden or removed, a board without a password and what is left of an old one are taken away', () => {
  const { connect, news, kept } = broker();
  const discovery = new Discovery(true, OWN);
  discovery.listed(listOf([plant('fern'), plant('moss'), plant('basil')]));
  connect(discovery);
  read(discovery, 'fern', 'moss', 'basil');
  news();
  discovery.listed(listOf([plant('moss'), plant('basil')]));
  expect(news()).toEqual([fernTopic]);
  discovery.usersAre(new Set(['fern', 'basil', 'cps-bridge-greenhouse']));
  expect(news()).toEqual([mossTopic]);
  expect([...kept.keys()]).toEqual([discoveryTopic('basil')]);
  // A board with a new password is announced again. Without the list of users, no board counts as revoked.
  discovery.usersAre(null);
  expect(news()).toEqual([mossTopic]);

  const later = new Discovery(true, OWN);
  kept.set('homeassistant/device/zigbee-plug/config', '{}');
  connect(later);
  later.listed(listOf([plant('moss')]));
  expect(news()).toEqual([discoveryTopic('basil')]);
});

test('ING-10 a bridge whose key is limited leaves the boards of others alone', () => {
  const { connect, news } = broker(new Map([[mossTopic, 'of another bridge']]));
  const discovery = new Discovery(true, OWN);
  connect(discovery);
  read(discovery, 'fern', 'moss');
  discovery.listed(listOf([plant('fern')], ['fern', 'basil']));
  expect(news()).toEqual([fernTopic]);
  discovery.listed(listOf([], ['fern', 'basil']));
  expect(news()).toEqual([fernTopic]);
});

test('ING-10 two bridges that know different things do not undo each other’s work for ever', () => {
  const kept = new Map<string, string>();
  const [one, other] = [broker(kept), broker(kept)];
  const [knowing, unknowing] = [new Discovery(true, OWN), new Discovery(true, OWN)];
  for (const [discovery, { connect }] of [
    [unknowing, other],
    [knowing, one],
  ] as const) {
    connect(discovery);
    read(discovery, 'fern');
    discovery.listed(listOf([plant('fern')]));
  }
  one.news();
  other.news();
  knowing.usersAre(new Set());
  expect(one.news()).toEqual([fernTopic]);
  unknowing.heard(message('', { topic: fernTopic }));
  unknowing.listed(listOf([plant('fern')]));
  expect(other.news()).toEqual([]);
  expect(kept.size).toBe(0);
});

test('ING-10 what another bridge has published meanwhile is not published again', () => {
  const { connect, news } = broker();
  const discovery = new Discovery(true, OWN);
  connect(discovery);
  read(discovery, 'fern', 'moss');
  for (const name of ['fern', 'moss']) {
    discovery.heard(message(discoveryPayload(plant(name), false), { topic: discoveryTopic(name) }));
  }
  discovery.listed(listOf([plant('fern'), plant('moss', { name: '이끼' })]));
  expect(news()).toEqual([mossTopic]);
});

test('ING-10 over MQTT 3.1.1 the bridge does not mistake its own older word for what the broker has', () => {
  const { connect, news, kept } = broker(new Map(), true);
  const discovery = new Discovery(true, OWN);
  connect(discovery);
  read(discovery, 'fern');
  discovery.listed(listOf([plant('fern')]));
  const first = kept.get(fernTopic) ?? '';
  discovery.listed(listOf([plant('fern', { name: '고사리' })]));
  discovery.heard(message(first, { topic: fernTopic }));
  discovery.listed(listOf([plant('fern')]));
  expect(news()).toEqual([fernTopic, fernTopic, fernTopic]);
  expect(kept.get(fernTopic)).toBe(first);
});

test('ING-10 a board that begins to say whether it is online is announced with that', () => {
  const { connect, news, kept } = broker();
  const discovery = new Discovery(true, OWN);
  connect(discovery);
  discovery.listed(listOf([plant('fern')]));
  read(discovery, 'fern');
  news();
  discovery.boardSpoke('fern', true);
  discovery.boardSpoke('fern', true);
  expect(news()).toEqual([fernTopic]);
  expect(kept.get(fernTopic)).toBe(discoveryPayload(plant('fern'), true));
  // If the availability message is deleted, the device must not need it: it would be unavailable for ever.
  discovery.boardSpoke('fern', false);
  expect(news()).toEqual([fernTopic]);
  expect(kept.get(fernTopic)).toBe(discoveryPayload(plant('fern'), false));
});

test('ING-10 while it is off, the list is not asked for, nothing is announced, and what was is taken away', () => {
  const { connect, news, kept } = broker(new Map([[fernTopic, discoveryPayload(plant('fern'), true)]]));
  const discovery = new Discovery(false, OWN);
  expect(discovery.holds()).toBeUndefined();
  read(discovery, 'moss');
  connect(discovery);
  expect(news()).toEqual([fernTopic]);
  expect(kept.size).toBe(0);
});

test('ING-10 its own word that the broker retained, or sends again, does not end the reading', () => {
  const discovery = new Discovery(true, OWN);
  const published = vi.fn<(messages: readonly unknown[]) => void>();
  discovery.listed(listOf([plant('fern')]));
  discovery.connected(published, false);
  discovery.heard(message('online', { topic: OWN, retained: true }));
  discovery.heard(message('offline', { topic: OWN }));
  read(discovery, 'fern');
  expect(published).not.toHaveBeenCalled();
  discovery.heard(message('online', { topic: OWN }));
  expect(published).toHaveBeenCalledOnce();
});
