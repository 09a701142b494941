/** nginx with the response as a file: the upper limit of this machine. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/programs/free-port.ts';
import { NotInstalled, type Peer } from './peer.ts';

const PROGRAM = '/usr/sbin/nginx';

export async function startNginx(directory: string, file: string): Promise<Peer> {
  await access(PROGRAM).catch(() => {
    throw new NotInstalled('nginx');
  });
  const port = await freePort();
  const configuration = join(directory, 'nginx.conf');
  // Lets nginx read the file even if it runs as another user.
  await chmod(directory, 0o755);
  await writeFile(
    configuration,
    `daemon off; master_process off; worker_processes 1; pid ${directory}/nginx.pid; error_log /dev/null;
events { worker_connections 64; }
http { access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${directory}; } }
`,
  );
  const child = spawn(PROGRAM, ['-c', configuration, '-p', directory], { stdio: 'ignore' });
  await sleep(500);
  return {
    name: 'nginx, a file of the same bytes',
    bulkUrl: `http://127.0.0.1:${port}/${file}`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
