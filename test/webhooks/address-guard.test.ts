import { expect, test } from 'vitest';
import { checkUrl } from '../../src/webhooks/operations/check-url.ts';
import { isAllowedAddress, readNetworks } from '../../src/webhooks/sending/address-guard.ts';

const PUBLIC = ['8.8.8.8', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];

const FORBIDDEN = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
];

test.each(PUBLIC)('%s is public, and only allowed with TLS', (address) => {
  expect(isAllowedAddress(address, true, [])).toBe(true);
  expect(isAllowedAddress(address, false, [])).toBe(false);
});

test.each([...FORBIDDEN, 'example.com', '', '1'])('%s is not allowed', (address) => {
  expect(isAllowedAddress(address, true, [])).toBe(false);
});

test('a named network is allowed, with and without TLS, and no other one', () => {
  const allowed = readNetworks(['10.1.2.0/24', '192.168.1.5', 'fd00:1::/32']);
  for (const isEncrypted of [true, false]) {
    const isAllowed = (address: string) => isAllowedAddress(address, isEncrypted, allowed);
    expect(['10.1.2.255', '192.168.1.5', 'fd00:1:2::3'].map(isAllowed)).toEqual([true, true, true]);
    const others = ['10.1.3.0', '192.168.1.6', 'fd00:2::1', '::ffff:10.1.2.3', '127.0.0.1'];
    expect(others.filter(isAllowed)).toEqual([]);
  }
});

test.each([
  ['http://example.com/', 'must begin with https://'],
  ['ftp://example.com/', 'begins with https://'],
  ['example.com', 'begins with https://'],
  ['https://user:secret@example.com/', 'no user name'],
  ['https://example.com/#part', 'no user name, password or fragment'],
  ['https://127.0.0.1/', 'is not public'],
  ['https://2130706433/', 'is not public'],
  ['https://0x7f.1/', 'is not public'],
  ['https://[::1]/', 'is not public'],
  ['https://[::ffff:169.254.169.254]/', 'is not public'],
])('the URL %s is refused', (url, message) => {
  expect(() => checkUrl(url, [])).toThrow(message);
});

test('the refusal of an address says where its network must be set', () => {
  const next = expect.stringContaining('and, with a ClickHouse server, of this command');
  expect(() => checkUrl('https://10.1.2.3/', [])).toThrow(expect.objectContaining({ next }));
});

test('a URL with a path, a query and a port is accepted', () => {
  expect(() => checkUrl('https://example.com:8443/hooks?token=1', [])).not.toThrow();
  expect(() => checkUrl('http://receiver.internal/', readNetworks(['10.0.0.0/8']))).not.toThrow();
});
