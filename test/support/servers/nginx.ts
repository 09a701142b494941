/** A real nginx for tests, with the documented configuration. It listens on loopback with TLS. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../programs/free-port.ts';
import { programOf } from '../programs/programs.ts';

const CONFIGURATION = fileURLToPath(
  new URL('../../../docs/deployment/nginx.conf', import.meta.url),
);

/** Creates a self-signed certificate for loopback, and its key. */
const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout privkey.pem -out fullchain.pem';

export interface Nginx {
  readonly url: string;
  /** The path of the certificate that nginx presents. */
  readonly certificate: string;
  stop(): Promise<void>;
}

/** Starts nginx in front of a service. */
export async function startNginx(upstream: string): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'nginx-'));
  execFileSync('openssl', CERTIFICATE.split(' '), { cwd: directory, stdio: 'ignore' });
  const port = await freePort();
  const site = (await readFile(CONFIGURATION, 'utf8'))
    .replace('server 127.0.0.1:3000;', `server ${new URL(upstream).host};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll('/etc/ssl/reporting.example.com/', `${directory}/`);
  await writeFile(join(directory, 'site.conf'), site);
  await writeFile(join(directory, 'nginx.conf'), mainConfiguration(directory));
  const program = programOf('nginx') ?? '';
  const args = ['-c', join(directory, 'nginx.conf'), '-p', directory];
  execFileSync(program, ['-t', '-q', ...args]);
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `https://127.0.0.1:${port}`;
  await listening(url);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  return { url, certificate: join(directory, 'fullchain.pem'), stop };
}

/** One process without another user, so that the test needs no root. */
const mainConfiguration = (directory: string): string => `daemon off;
master_process off;
pid ${directory}/pid;
error_log ${directory}/error.log;
events {}
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  include ${directory}/site.conf;
}
`;

/** Waits until something listens at the URL. */
async function listening(url: string): Promise<void> {
  const { port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await sleep(50);
  }
}
