import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { asListenAddress, asProxies } from '../../src/cli/inputs/network-addresses.ts';

test.each([
  ['', []],
  [' 127.0.0.1 , ::1 ', ['127.0.0.1', '::1']],
  ['10.0.0.0/8,10.0.0.0/8', ['10.0.0.0/8']],
  ['2001:db8::/32,192.0.2.1/32,::ffff:10.0.0.0/104', undefined],
  ['loopback,linklocal,uniquelocal', undefined],
])('the proxies of "%s" are read, and Fastify accepts them', async (text, expected) => {
  const proxies = asProxies(text);
  if (expected !== undefined) expect(proxies).toEqual(expected);
  await Fastify({ trustProxy: [...proxies] }).close();
});

test.each([
  'proxy.example',
  'all',
  '*',
  '10.0.0.0/0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0',
  '2001:db8::/129',
  'fe80::1%eth0',
  '127.0.0.1:3000',
  '127.0.0.1,',
  '127.0.0.1 10.0.0.1',
])('"%s" is not a list of proxies', (text) => {
  expect(() => asProxies(text)).toThrow('must contain addresses or ranges such as 192.0.2.10');
});

test.each([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
])('%s is an address to listen on', (text, address) => {
  expect(asListenAddress(text)).toEqual(address);
});

test.each(['9464', ':9464', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', '::1:9464', '[]:1'])(
  '"%s" is not a valid address to listen on',
  (text) => {
    expect(() => asListenAddress(text)).toThrow('must be an address and a port');
  },
);
