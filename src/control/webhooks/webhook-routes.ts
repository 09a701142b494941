/** Routes of the control socket that manage webhooks. */

import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { readValue } from '../../read-json.ts';
import type { WebhookManager } from '../../webhooks/operations/webhook-operations.ts';
import { NEW_WEBHOOK } from '../../webhooks/webhook.ts';

type ById = { Params: { id: string } };

const REPLAY = v.strictObject({ since: v.pipe(v.string(), v.isoTimestamp()) });

export function webhookControlRoutes(app: FastifyInstance, webhooks: WebhookManager): void {
  app.post('/webhooks', async ({ body }) => webhooks.add(readValue(NEW_WEBHOOK, body)));
  app.get('/webhooks', async () => webhooks.list());
  app.post<ById>('/webhooks/:id/test', async ({ params }) => ({
    result: (await webhooks.test(params.id)) ?? null,
  }));
  app.post<ById>('/webhooks/:id/pause', async ({ params }) => ({
    found: await webhooks.pause(params.id),
  }));
  app.post<ById>('/webhooks/:id/resumption', async ({ params }) => ({
    found: await webhooks.resume(params.id),
  }));
  app.post<ById>('/webhooks/:id/rotation', async ({ params }) => ({
    secret: (await webhooks.rotate(params.id)) ?? null,
  }));
  app.post<ById>('/webhooks/:id/replay', async ({ params, body }) => ({
    found: await webhooks.replay(params.id, new Date(readValue(REPLAY, body).since)),
  }));
  app.delete<ById>('/webhooks/:id', async ({ params }) => ({
    found: await webhooks.remove(params.id),
  }));
}
