/** Commands that need only the id of a webhook, with their descriptions. */

export const WEBHOOK_ACTIONS = [
  ['test', 'Send a message of the type webhook.test at once.'],
  ['pause', 'Deliver nothing until the webhook is resumed.'],
  ['resume', 'Continue where deliveries have ended, also those that the service has stopped.'],
  ['rotate', 'Create a new secret. The former one signs too for 24 hours.'],
  ['remove', 'Remove a webhook.'],
] as const;

export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number][0];
