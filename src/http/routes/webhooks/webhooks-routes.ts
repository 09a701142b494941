/** `/api/admin/webhooks`: manages webhooks within the rights of the request's token. */

import type { FastifyInstance } from 'fastify';
import { refuseWiderWebhook } from '../../../auth/token-rights.ts';
import { Problem } from '../../../contract/problems/problems.ts';
import type {
  ManagedWebhook,
  RemovedWebhook,
  WebhookTest,
  WebhookWithSecret,
} from '../../../contract/webhooks/managed-webhook.ts';
import {
  readPause,
  readReplay,
  readWebhookQuery,
} from '../../../contract/webhooks/webhook-parameters.ts';
import { describedWebhook } from '../../../webhooks/operations/described-webhook.ts';
import { READ_METHODS } from '../../guards/method-guard.ts';
import { refuseParameters } from '../../guards/refuse-parameters.ts';
import { queryStringOf } from '../../query-string.ts';
import {
  authenticateWebhookManagement,
  changedWebhook,
  managedWebhookFor,
  visibleWebhooks,
  type WebhooksDeps,
  webhookWithId,
} from './managed-webhooks.ts';
import { newWebhookOf, replayInstantOf, withProblem } from './webhook-requests.ts';

const URL = '/api/admin/webhooks';

type ById = { Params: { id: string } };

export function webhooksRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  app.route({
    method: READ_METHODS,
    url: URL,
    handler: async (request, reply): Promise<readonly ManagedWebhook[]> => {
      const managed = await authenticateWebhookManagement(request, reply, deps);
      refuseParameters(request);
      return (await visibleWebhooks(managed)).map((one) => managedWebhookFor(managed, one));
    },
  });
  app.post(URL, async (request, reply): Promise<WebhookWithSecret> => {
    const { principal, webhooks } = await authenticateWebhookManagement(request, reply, deps);
    const wanted = newWebhookOf(readWebhookQuery(queryStringOf(request)), principal.id);
    refuseWiderWebhook(principal, wanted);
    const { secret, ...created } = await withProblem(webhooks.add(wanted));
    reply.code(201);
    return { secret, ...describedWebhook(created) };
  });
  app.patch<ById>(`${URL}/:id`, async (request, reply): Promise<ManagedWebhook> => {
    const managed = await authenticateWebhookManagement(request, reply, deps);
    const isPaused = readPause(queryStringOf(request));
    const { webhooks, principal } = managed;
    const { id } = await webhookWithId(request.params.id, managed);
    const isFound = await webhooks[isPaused ? 'pause' : 'resume'](id, principal);
    return await changedWebhook(id, isFound, managed);
  });
  app.delete<ById>(`${URL}/:id`, async (request, reply): Promise<RemovedWebhook> => {
    const managed = await authenticateWebhookManagement(request, reply, deps);
    refuseParameters(request);
    const { id } = await webhookWithId(request.params.id, managed);
    if (!(await managed.webhooks.remove(id))) throw new Problem('webhook_not_found');
    return { id, removed: true };
  });
  messageRoutes(app, deps);
}

/** The routes about the messages of a webhook: rotation of its secret, test and replay. */
function messageRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  app.post<ById>(`${URL}/:id/rotation`, async (request, reply): Promise<WebhookWithSecret> => {
    const managed = await authenticateWebhookManagement(request, reply, deps);
    refuseParameters(request);
    const { id } = await webhookWithId(request.params.id, managed);
    const secret = await managed.webhooks.rotate(id);
    if (secret === undefined) throw new Problem('webhook_not_found');
    return { secret, ...(await changedWebhook(id, true, managed)) };
  });
  app.post<ById>(`${URL}/:id/test`, async (request, reply): Promise<WebhookTest> => {
    const managed = await authenticateWebhookManagement(request, reply, deps);
    refuseParameters(request);
    const { id } = await webhookWithId(request.params.id, managed);
    const result = await managed.webhooks.test(id);
    if (result === undefined) throw new Problem('webhook_not_found');
    const { isDelivered: delivered, error, milliseconds } = result;
    return { id, delivered, error, milliseconds };
  });
  app.post<ById>(`${URL}/:id/replay`, async (request, reply): Promise<ManagedWebhook> => {
    const managed = await authenticateWebhookManagement(request, reply, deps);
    const since = replayInstantOf(readReplay(queryStringOf(request)), deps.timeZone);
    const { id } = await webhookWithId(request.params.id, managed);
    const { webhooks, principal } = managed;
    const isFound = await withProblem(webhooks.replay(id, since, principal));
    return await changedWebhook(id, isFound, managed);
  });
}
