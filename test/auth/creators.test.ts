import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagedToken, NewManagedToken } from '../../src/contract/tokens/managed-token.ts';
import { codeIn } from '../../src/contract/tokens/sign-in-address.ts';
import type { NewSignInLink } from '../../src/contract/tokens/sign-in-link.ts';
import {
  MAX_LINKS,
  MAX_LINKS_PER_CREATOR,
  MAX_TOKENS_PER_CREATOR,
} from '../../src/contract/tokens/token-limits.ts';
import type { ManagedWebhook } from '../../src/contract/webhooks/managed-webhook.ts';
import { MAX_WEBHOOKS_PER_CREATOR } from '../../src/contract/webhooks/webhook-limits.ts';
import { select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { expectProblem } from '../support/requests/expect-problem.ts';
import { type RawAnswer, send } from '../support/requests/raw-http.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const TOKENS = '/api/admin/tokens';
const LINKS = '/api/admin/sign-in-links';
const WEBHOOKS = '/api/admin/webhooks';
const WEBSITE = 'role=affiliate&publisher_id=345';
const URL_WITH_SECRET = 'https://chat.example.com/rooms/secret-path?key=secret-key';

const MANAGER = { role: 'admin', publisherIds: [], programIds: [], mayManageTokens: true } as const;

interface Manager {
  readonly id: string;
  readonly token: string;
}

describe.each(fullOrShort(['embedded', 'server', 'cluster'] as const, ['embedded'] as const))(
  'on the store %s',
  (store) => {
    let service: TestService;
    let manager: Manager;
    let other: Manager;

    beforeAll(async () => {
      service = await startService({ store, settings: { publicUrl: 'https://reports.example' } });
      [manager, other] = [await newManager(), await newManager()];
    });

    afterAll(async () => await service.close());

    async function newManager(): Promise<Manager> {
      const { token, record } = await service.operator.createToken(MANAGER);
      return { id: record.id, token };
    }

    const ask = async (method: string, target: string, { token }: Manager) =>
      await send(service.url, { method, target, headers: [`Authorization: Bearer ${token}`] });

    const run = async (text: string) => await service.database.engine.execute(plainStatement(text));

    const listed = async <Item>(path: string, by: Manager): Promise<readonly Item[]> =>
      JSON.parse((await ask('GET', path, by)).body);

    test('tokens and links name the token that created them, and so does the token that a link gives', async () => {
      const made = read<NewManagedToken>(await ask('POST', `${TOKENS}?${WEBSITE}`, manager));
      const link = read<NewSignInLink>(await ask('POST', `${LINKS}?${WEBSITE}`, manager));
      expect([made.created_by, link.created_by]).toEqual([manager.id, manager.id]);
      const code = codeIn(new URL(link.url).hash) ?? '';
      const headers = [`Authorization: Bearer ${code}`];
      await send(service.url, { method: 'POST', target: '/api/sign-in', headers });
      const creators = (await listed<ManagedToken>(TOKENS, other)).map((token) => [
        token.id,
        token.created_by,
        token.link_expires_at,
      ]);
      for (const { id } of [made, link]) expect(creators).toContainEqual([id, manager.id, null]);
      expect(creators).toContainEqual([other.id, null, null]);
      expect(await service.operator.revokeToken(made.id)).toBe(true);
      const records = await service.operator.listTokens();
      expect(records.find(({ id }) => id === made.id)).toMatchObject({ createdBy: manager.id });
    });

    test('only the token that added a webhook sees its whole URL', async () => {
      const query = `url=${encodeURIComponent(URL_WITH_SECRET)}&${WEBSITE}`;
      const added = read<ManagedWebhook>(await ask('POST', `${WEBHOOKS}?${query}`, manager));
      const { id: byCommand } = await service.operator.webhooks.add({
        url: URL_WITH_SECRET,
        role: 'affiliate',
        publisherIds: [345],
        programIds: [],
        types: ['sales'],
        locale: null,
        name: null,
      });
      const seenBy = async (by: Manager) =>
        new Map(
          (await listed<ManagedWebhook>(WEBHOOKS, by)).map(({ id, url, created_by }) => [
            id,
            [url, created_by],
          ]),
        );
      const hidden = 'https://chat.example.com/…';
      expect(await seenBy(manager)).toEqual(
        new Map([
          [added.id, [URL_WITH_SECRET, manager.id]],
          [byCommand, [hidden, null]],
        ]),
      );
      expect((await seenBy(other)).get(added.id)).toEqual([hidden, manager.id]);
      for (const [method, path] of [
        ['PATCH', '?paused=true'],
        ['POST', '/rotation'],
        ['POST', `/replay?since=${new Date().toISOString()}`],
      ] as const) {
        const answer = await ask(method, `${WEBHOOKS}/${added.id}${path}`, other);
        expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(hidden)]);
        expect(answer.body).not.toContain('secret-');
      }
    });

    test('each token has its own limit of unused links, also for concurrent requests', async () => {
      const many = await newManager();
      const hash = "leftPad(toString(number), 64, 'e')";
      await run(`INSERT INTO sign_in_links (id, hash, role, publisher_ids, created_by, created_at, link_expires_at)
SELECT concat('link-', toString(number)), ${hash}, 'affiliate', [345], '${many.id}', now(), now() + 900 FROM numbers(${MAX_LINKS_PER_CREATOR - 2})`);
      const target = `${LINKS}?${WEBSITE}`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () => await ask('POST', target, many)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
      const refused = await ask('POST', target, many);
      expectProblem(refused, 'too_many_links');
      expect(refused.body).toContain(`Each token can have ${MAX_LINKS_PER_CREATOR}`);
      read(await ask('POST', target, other));
    });

    test('commands and requests of one process share the limit of links', async () => {
      const open = (await service.operator.listTokens()).filter(
        ({ linkExpiresAt }) => linkExpiresAt !== undefined,
      );
      const hash = "leftPad(toString(number), 64, 'f')";
      const left = 6;
      await run(`INSERT INTO sign_in_links (id, hash, role, publisher_ids, created_at, link_expires_at)
SELECT concat('command-', toString(number)), ${hash}, 'affiliate', [345], now(), now() + 900 FROM numbers(${MAX_LINKS - left - open.length})`);
      const byCommand = async () => void (await service.operator.createLink(MANAGER));
      const byRequest = async () => void read(await ask('POST', `${LINKS}?${WEBSITE}`, other));
      const pairs = Array.from({ length: left }, () => [byCommand(), byRequest()]);
      const results = await Promise.allSettled(pairs.flat());
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(left);
      await run(
        `INSERT INTO sign_in_claims (link, claim, at) SELECT ${hash}, 'revoked', now() FROM numbers(${MAX_LINKS})`,
      );
    });

    test('each token has its own limit of valid tokens and unused links together', async () => {
      const many = await newManager();
      const values = `'affiliate', [345], [], NULL, NULL, now()`;
      const columns =
        'id, hash, role, publisher_ids, program_ids, locale, name, created_at, expires_at, revoked_at, revision, created_by';
      const insert = async (name: string, count: number, ends: string) =>
        await run(`INSERT INTO tokens (${columns})
SELECT concat('${name}', toString(number)), concat('${name}', leftPad(toString(number), 60, '0')), ${values}, ${ends}, 1, '${many.id}' FROM numbers(${count})`);
      await insert('good', MAX_TOKENS_PER_CREATOR - 2, 'NULL, NULL');
      await insert('gone', 50, 'now() - 1, NULL');
      await insert('taken', 50, 'NULL, now()');
      read(await ask('POST', `${LINKS}?${WEBSITE}`, many));
      read(await ask('POST', `${TOKENS}?${WEBSITE}`, many));
      for (const path of [TOKENS, LINKS]) {
        const refused = await ask('POST', `${path}?${WEBSITE}`, many);
        expectProblem(refused, 'too_many_tokens');
        expect(refused.body).toContain(`Each token can create ${MAX_TOKENS_PER_CREATOR}.`);
        read(await ask('POST', `${path}?${WEBSITE}`, other));
      }
      await service.operator.createToken({ ...MANAGER, mayManageTokens: false });
    });

    test('a webhook keeps its creator and unknown fields when other versions change it', async () => {
      const query = `url=${encodeURIComponent(URL_WITH_SECRET)}&${WEBSITE}`;
      const { id } = read<ManagedWebhook>(await ask('POST', `${WEBHOOKS}?${query}`, manager));
      const changed = async (change: string) =>
        await run(
          `INSERT INTO webhooks SELECT id, version + 1, ${change} FROM webhooks FINAL WHERE id = '${id}'`,
        );
      // An earlier version writes the webhook without its creator, and a later one with another field.
      await changed(`replaceRegexpOne(value, ',"createdBy":"[^"]*"', '')`);
      await changed(`replaceOne(value, '{', '{"later":"kept",')`);
      await ask('PATCH', `${WEBHOOKS}/${id}?paused=true`, other);
      const found = (await listed<ManagedWebhook>(WEBHOOKS, manager)).find((one) => one.id === id);
      expect(found).toMatchObject({
        created_by: manager.id,
        url: URL_WITH_SECRET,
        state: 'paused',
      });
      const values = plainStatement(`SELECT value FROM webhooks FINAL WHERE id = '${id}'`);
      const schema = v.object({ value: v.string() });
      const [row] = await service.database.engine.rows(select(schema, values));
      expect(row?.value).toContain('"later":"kept"');
      read(await ask('DELETE', `${WEBHOOKS}/${id}`, manager), 200);
    });

    test('each token has its own limit of webhooks, which includes unreadable ones', async () => {
      const many = await newManager();
      const query = `${WEBHOOKS}?url=${encodeURIComponent(URL_WITH_SECRET)}&${WEBSITE}`;
      const { id } = read<ManagedWebhook>(await ask('POST', query, many));
      await run(`INSERT INTO webhooks SELECT concat('wh_', toString(number)), 1, if(number % 2 = 0, value, replaceOne(value, '"isPaused":false', '"isPaused":"later"'))
FROM (SELECT value FROM webhooks FINAL WHERE id = '${id}') AS one CROSS JOIN numbers(${MAX_WEBHOOKS_PER_CREATOR - 1}) AS times`);
      const refused = await ask('POST', query, many);
      expectProblem(refused, 'too_many_webhooks');
      expect(refused.body).toContain(`has added ${MAX_WEBHOOKS_PER_CREATOR} webhooks`);
      read(await ask('POST', query, other));
      read(await ask('DELETE', `${WEBHOOKS}/${id}`, many), 200);
      read(await ask('POST', query, many));
    });
  },
);

function read<Body>({ status, body }: RawAnswer, expected = 201): Body {
  expect([status, body]).toEqual([expected, expect.any(String)]);
  return JSON.parse(body);
}
