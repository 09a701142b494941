/** A new webhook as the form describes it. */

import type { NewWebhookParameters } from '../../../../client/src/index.ts';
import { ACTIONS, KINDS, type Kind } from '../../../../src/contract/record/kinds.ts';
import type { Role } from '../../../../src/contract/record/records.ts';
import { EMPTY_TOKEN_DRAFT, parametersOf as tokenParametersOf } from '../tokens/new-token.ts';

export interface WebhookDraft {
  readonly url: string;
  readonly name: string;
  readonly role: Role;
  readonly publishers: string;
  readonly programs: string;
  readonly types: readonly Kind[];
}

const { name, role, publishers, programs } = EMPTY_TOKEN_DRAFT;

export const EMPTY_WEBHOOK_DRAFT: WebhookDraft = {
  url: '',
  name,
  role,
  publishers,
  programs,
  types: ACTIONS,
};

/** The parameters of the request. The service refuses wrong ones. */
export function parametersOf({ url, types, ...rights }: WebhookDraft): NewWebhookParameters {
  const { expires: _, ...parameters } = tokenParametersOf({ ...rights, expires: undefined });
  return { ...parameters, url: url.trim(), type: types };
}

/** The types after a click on one of them, in the order of all types. */
export const toggled = (types: readonly Kind[], kind: Kind): readonly Kind[] =>
  KINDS.filter((one) => types.includes(one) !== (one === kind));
