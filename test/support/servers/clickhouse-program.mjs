/**
 * Runs a ClickHouse server in this process until it is killed: DIRECTORY HTTP_PORT TCP_PORT CONFIG_FILE [OPTION …].
 *
 * The library of the embedded engine holds the whole of clickhouse-local, which can listen.
 */

import ffi from 'node:ffi';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const [directory, http, tcp, config, ...options] = process.argv.slice(2);
const require = createRequire(import.meta.resolve('chdb'));
const library = `@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
const file = join(dirname(require.resolve(`${library}/package.json`)), 'libchdb.so');
const forever = 'SELECT sleepEachRow(3) FROM numbers(1000000000)';
const settings = 'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0';
const texts = [
  'clickhouse',
  `--path=${directory}`,
  `--http_port=${http}`,
  `--tcp_port=${tcp}`,
  '--listen_host=127.0.0.1',
  `--config-file=${config}`,
  ...options,
  '--query',
  `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${forever} ${settings} FORMAT Null`,
].map((text) => Buffer.from(`${text}\0`));
const pointers = BigUint64Array.from(texts, (text) => ffi.getRawPointer(text));
const { functions } = ffi.dlopen(file, {
  chdb_query_cmdline: { arguments: ['int32', 'pointer'], return: 'pointer' },
});
functions.chdb_query_cmdline(texts.length, ffi.getRawPointer(Buffer.from(pointers.buffer)));
