/** Commands that need only the id of a webhook, with their descriptions. */

export const WEBHOOK_ACTIONS = [
  ['test', 'Send a message of the type webhook.test at once.'],
  ['pause', 'Deliver nothing until the webhook is resumed.'],
  ['resume', 'Continue deliveries, also after the service has stopped them.'],
  ['rotate', 'Create a new secret. The former one is valid for 24 more hours.'],
  ['remove', 'Remove a webhook.'],
] as const;

export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number][0];
