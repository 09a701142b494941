/** The API operations by which admins manage webhooks. */

import { refTo, type SchemaName } from '../openapi/openapi-schemas.ts';
import {
  AUTHENTICATED_HEADERS,
  MANAGEMENT_PROBLEM_ORIGINS,
  type Operation,
  type OperationResponse,
} from '../openapi/operation.ts';
import { EXAMPLE_MANAGED_WEBHOOK } from './managed-webhook.ts';
import { PAUSE_PARAMETERS, REPLAY_PARAMETERS, WEBHOOK_PARAMETERS } from './webhook-parameters.ts';

const PATH = '/api/admin/webhooks';

const RIGHTS =
  'Requires a token that the operator created with `--may-manage-tokens`. A token that is limited to programs manages only webhooks that are limited to some of its programs.';

const SECRET = 'The response has the secret that signs messages. It cannot be shown again.';

/** What the operations of webhooks have in common. */
const MANAGEMENT = {
  tag: 'Webhooks',
  roles: ['admin'],
  requestHeaders: ['X-Request-Id'],
  problems: [...MANAGEMENT_PROBLEM_ORIGINS, 'webhook'],
} as const satisfies Partial<Operation>;

const OF_ONE = {
  ...MANAGEMENT,
  pathParameters: {
    id: {
      meaning: 'The id of the webhook',
      example: EXAMPLE_MANAGED_WEBHOOK.id,
      schema: { type: 'string', minLength: 1, maxLength: 100 },
    },
  },
} as const satisfies Partial<Operation>;

const response = (meaning: string, schema: SchemaName, example: object): OperationResponse => ({
  meaning,
  headers: AUTHENTICATED_HEADERS,
  content: { 'application/json': { schema: refTo(schema), example } },
});

const EXAMPLE_WITH_SECRET = {
  secret: 'whsec_MDEyMzQ1Njc4OUFCQ0RFRkdISUpLTE1OT1BRUlNUVVY=',
  ...EXAMPLE_MANAGED_WEBHOOK,
};

const LIST_WEBHOOKS: Operation = {
  ...MANAGEMENT,
  path: PATH,
  id: 'listWebhooks',
  summary: 'Webhooks',
  description: `Lists the webhooks, oldest first, with their states and without their secrets. ${RIGHTS}`,
  parameters: {},
  responses: {
    200: {
      meaning: 'The webhooks.',
      headers: AUTHENTICATED_HEADERS,
      content: {
        'application/json': {
          schema: {
            type: 'array',
            description: 'The webhooks, oldest first.',
            items: refTo('ManagedWebhook'),
          },
          example: [EXAMPLE_MANAGED_WEBHOOK],
        },
      },
    },
  },
};

const ADD_WEBHOOK: Operation = {
  ...MANAGEMENT,
  path: PATH,
  method: 'post',
  id: 'addWebhook',
  summary: 'Add a webhook',
  description: `The service posts changes to the URL from now on, signed as Standard Webhooks specifies. ${SECRET} The webhook delivers nothing that the token of the request cannot read. It does not expire, so a token that expires cannot add one. ${RIGHTS}`,
  parameters: WEBHOOK_PARAMETERS,
  responses: { 201: response('The new webhook.', 'WebhookWithSecret', EXAMPLE_WITH_SECRET) },
};

const CHANGE_WEBHOOK: Operation = {
  ...OF_ONE,
  path: `${PATH}/{id}`,
  method: 'patch',
  id: 'changeWebhook',
  summary: 'Pause or resume a webhook',
  description: `A webhook that is resumed tries at once to deliver what waits, so nothing is lost. ${RIGHTS}`,
  parameters: PAUSE_PARAMETERS,
  responses: {
    200: response('The webhook.', 'ManagedWebhook', {
      ...EXAMPLE_MANAGED_WEBHOOK,
      state: 'paused',
    }),
  },
};

const REMOVE_WEBHOOK: Operation = {
  ...OF_ONE,
  path: `${PATH}/{id}`,
  method: 'delete',
  id: 'removeWebhook',
  summary: 'Remove a webhook',
  description: `A message that is under way may still arrive. ${RIGHTS}`,
  parameters: {},
  responses: {
    200: response('The webhook is removed.', 'RemovedWebhook', {
      id: EXAMPLE_MANAGED_WEBHOOK.id,
      removed: true,
    }),
  },
};

const ROTATE_SECRET: Operation = {
  ...OF_ONE,
  path: `${PATH}/{id}/rotation`,
  method: 'post',
  id: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description: `${SECRET} For 24 hours the former secret signs too. ${RIGHTS}`,
  parameters: {},
  responses: {
    200: response('The webhook.', 'WebhookWithSecret', EXAMPLE_WITH_SECRET),
  },
};

const TEST_WEBHOOK: Operation = {
  ...OF_ONE,
  path: `${PATH}/{id}/test`,
  method: 'post',
  id: 'testWebhook',
  summary: 'Test a webhook',
  description: `Posts a message of the type \`webhook.test\` at once, and waits at most 15 seconds for the receiver. Tests at the same time share one message. ${RIGHTS}`,
  parameters: {},
  responses: {
    200: response('The result of the test.', 'WebhookTest', {
      id: EXAMPLE_MANAGED_WEBHOOK.id,
      delivered: true,
      error: null,
      milliseconds: 84,
    }),
  },
};

const REPLAY_WEBHOOK: Operation = {
  ...OF_ONE,
  path: `${PATH}/{id}/replay`,
  method: 'post',
  id: 'replayWebhook',
  summary: 'Deliver changes again',
  description: `Delivers all changes since the given time again, with new message ids, and then those that follow. The time can be as early as the start of the change feed. ${RIGHTS}`,
  parameters: REPLAY_PARAMETERS,
  responses: {
    200: response('The webhook.', 'ManagedWebhook', {
      ...EXAMPLE_MANAGED_WEBHOOK,
      state: 'active',
    }),
  },
};

export const WEBHOOK_OPERATIONS = [
  LIST_WEBHOOKS,
  ADD_WEBHOOK,
  CHANGE_WEBHOOK,
  REMOVE_WEBHOOK,
  ROTATE_SECRET,
  TEST_WEBHOOK,
  REPLAY_WEBHOOK,
];
