import {
  receiverKindOfHost,
  receiverKindLabels,
  type ReceiverKind,
  type WebReceiverKind,
} from '#contract/receivers';
import * as z from 'zod';

/*
 * Where messages may be sent. The server writes to any address that a receiver has, so an address must not
 * lead into a network that only the server can reach (SSRF).
 */

/** Names of local networks, or of nothing (RFC 6761, RFC 6762, RFC 8375, and names that routers use). */
const OWN_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|workgroup|arpa|invalid|onion|alt)$/;
/** An IPv4 address within a name: some services resolve `10.0.0.1.nip.io` and `10-0-0-1.sslip.io` to it. */
const WITHIN = /(?<![0-9])([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})(?![0-9])/g;

/** Private and reserved IPv4 networks: address and prefix length. */
const OWN_NETWORKS: [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

export const INTERNAL_ADDRESS_REFUSED = '내부 네트워크의 주소로는 알림을 보낼 수 없습니다';

const mailSchema = z.email().max(254);

/**
 * What is wrong with a receiver's address, in Korean.
 * @param allowsLoopback for a local run, where a receiver may be on the same machine
 */
export function addressProblem(
  kind: ReceiverKind,
  address: string,
  allowsLoopback: boolean,
): string | undefined {
  if (kind !== 'mail') return webProblem(kind, address, allowsLoopback);
  return mailSchema.safeParse(address).success ? undefined : '메일 주소를 입력하세요';
}

function webProblem(kind: WebReceiverKind, address: string, allowsLoopback: boolean): string | undefined {
  const url = parsed(address);
  if (url === undefined) return 'https://로 시작하는 주소를 입력하세요';
  if (allowsLoopback && isLoopback(url)) return undefined;
  if (url.protocol !== 'https:') return 'https://로 시작하는 주소를 입력하세요';
  if (url.username !== '' || url.password !== '') return '주소에 사용자 이름이나 비밀번호를 넣을 수 없습니다';
  if (!isOutside(url.hostname)) return INTERNAL_ADDRESS_REFUSED;
  const own = receiverKindOfHost(url.hostname);
  if (own !== undefined && own !== kind)
    return `${receiverKindLabels[own]} 주소입니다. 종류에서 ${receiverKindLabels[own]} 항목을 선택하세요`;
  if (kind === 'telegram' && !url.searchParams.get('chat_id'))
    return '주소 끝에 ?chat_id=대화방 번호를 붙이세요';
  return undefined;
}

/** Parses an address; `URL` normalizes IPv4 spellings (0x7f.1, 2130706433, 0177.0.0.1) and IPv6 addresses. */
function parsed(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const isLoopback = ({ hostname, username, password }: URL) =>
  username === '' && password === '' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function isOutside(hostname: string): boolean {
  const name = hostname.replace(/\.+$/, '');
  if (name.startsWith('[')) return isGlobalIpv6(name.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(name)) return isGlobalIpv4(name);
  const within = Array.from(name.matchAll(WITHIN), ([, ...parts]) => parts.join('.'));
  return name.includes('.') && !OWN_NAMES.test(name) && within.every(isGlobalIpv4);
}

const RESOLVER = 'https://cloudflare-dns.com/dns-query';
const RESOLVER_PATIENCE_MS = 3000;
const answersSchema = z.object({
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});
/** Types of DNS records that hold an address: A and AAAA. */
const ADDRESS_TYPES = [1, 28];

/**
 * Whether the host of a web address resolves to an internal address, according to a public resolver.
 * Cloudflare itself lets no worker connect to an internal network.
 */
export async function resolvesToInternal(address: string): Promise<boolean> {
  const { hostname } = new URL(address);
  const asked = ADDRESS_TYPES.map(async (type): Promise<string[]> => {
    const answer = await fetch(`${RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`, {
      headers: { accept: 'application/dns-json' },
      signal: AbortSignal.timeout(RESOLVER_PATIENCE_MS),
    });
    const { Answer } = answersSchema.parse(await answer.json());
    return Answer.flatMap((each) => (ADDRESS_TYPES.includes(each.type) ? [each.data] : []));
  });
  const known = await Promise.allSettled(asked);
  const found = known.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  return !found.every((ip) => isOutside(ip.includes(':') ? `[${ip.toLowerCase()}]` : ip));
}

const isGlobalIpv4 = (ipv4: string) =>
  !OWN_NETWORKS.some(([network, bits]) => prefix(ipv4, bits) === prefix(network, bits));

const prefix = (ipv4: string, bits: number) =>
  Math.floor(ipv4.split('.').reduce((number, part) => number * 256 + Number(part), 0) / 2 ** (32 - bits));

/** 2000::/3 without documentation addresses and without those that embed an IPv4 address (Teredo, 6to4). */
const isGlobalIpv6 = (ipv6: string) =>
  /^[23][0-9a-f]{3}:/.test(ipv6) && !/^(2002:|2001:(0?:|db8:|:)|3fff:)/.test(ipv6);
