import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = 'docs/reference/openapi.json';

const LINTERS = {
  spectral: ['lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
  redocly: ['lint', '--config', 'redocly.yaml'],
} as const;

type Linter = keyof typeof LINTERS;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'openapi-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** What a linter says of a file, without the network: whatever asks for it finds a closed door. */
function lint(linter: Linter, file: string) {
  const [command, ...options] = LINTERS[linter];
  const closed = 'http://127.0.0.1:9';
  const { status, stdout, stderr } = spawnSync(
    `node_modules/.bin/${linter}`,
    [command, file, ...options],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        NO_COLOR: '1',
        HTTP_PROXY: closed,
        HTTPS_PROXY: closed,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
    },
  );
  return { status, text: stdout + stderr };
}

const FAULTS: { readonly [linter in Linter]: readonly (readonly [string, string, string])[] } = {
  spectral: [
    ['oas3-schema', '"in": "query"', '"in": "nowhere"'],
    ['owasp:api4:2023-string-limit', '"maxLength": 1000', '"minLength": 0'],
    ['owasp:api2:2023-auth-insecure-schemes', '"scheme": "bearer"', '"scheme": "negotiate"'],
  ],
  redocly: [
    ['no-unresolved-refs', '/schemas/Problem"', '/schemas/Nothing"'],
    ['operation-summary', '"summary": "Who the token is for",', ''],
  ],
};

describe.each(Object.keys(LINTERS) as readonly Linter[])('%s', (linter) => {
  test('has nothing to say of the document', () => {
    const { status, text } = lint(linter, document);
    expect(status, text).toBe(0);
  });

  test.each(FAULTS[linter])('would find %s', async (rule, from, to) => {
    const text = await readFile(join(root, document), 'utf8');
    expect(text).toContain(from);
    const file = join(directory, 'openapi.json');
    await writeFile(file, text.replace(from, to));
    const found = lint(linter, file);
    expect([found.status, found.text]).toEqual([1, expect.stringContaining(rule)]);
  });
});
