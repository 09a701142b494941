/** Form that adds a webhook, and shows its secret once. */

import { useState } from 'react';
import { KINDS } from '../../../../src/contract/record/kinds.ts';
import { MAX_NAME_LENGTH } from '../../../../src/contract/tokens/name-length.ts';
import { MAX_WEBHOOK_URL } from '../../../../src/contract/webhooks/webhook-limits.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { RoleField, TextField } from '../tokens/token-fields.tsx';
import { useSubmission } from '../use-submission.ts';
import { EMPTY_WEBHOOK_DRAFT, parametersOf, toggled, type WebhookDraft } from './new-webhook.ts';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookError } from './webhook-error.tsx';
import { nameOf } from './webhook-state.ts';

interface WebhookFormProps {
  onAdded(): Promise<void>;
}

export function WebhookForm({ onAdded }: WebhookFormProps) {
  const { webhooks } = useLocalization().texts;
  const { service } = useExplorer();
  const [draft, setDraft] = useState<WebhookDraft>(EMPTY_WEBHOOK_DRAFT);
  const {
    result: added,
    error,
    isBusy,
    submit,
    form,
    again,
  } = useSubmission(async () => await service.webhooks.add(parametersOf(draft)), onAdded);
  if (added !== undefined) {
    return (
      <ShownSecret title={webhooks.added(nameOf(added))} secret={added.secret}>
        <button
          type="button"
          className="quiet"
          onClick={() => again(() => setDraft(EMPTY_WEBHOOK_DRAFT))}
        >
          {webhooks.another}
        </button>
      </ShownSecret>
    );
  }
  return (
    <form ref={form} className="token-form" onSubmit={submit} aria-labelledby="webhooks-add">
      <h3 id="webhooks-add">{webhooks.add}</h3>
      <p className="soft small">{webhooks.intro}</p>
      <WebhookFields draft={draft} change={setDraft} />
      {error !== undefined && <WebhookError error={error} />}
      <button
        type="submit"
        className="primary"
        disabled={draft.types.length === 0}
        aria-disabled={isBusy}
      >
        {isBusy ? webhooks.busy : webhooks.submit}
      </button>
    </form>
  );
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  change(draft: WebhookDraft): void;
}

function WebhookFields({ draft, change }: WebhookFieldsProps) {
  const { tokens, webhooks } = useLocalization().texts;
  const { program_ids: own } = useExplorer().service.me;
  return (
    <>
      <TextField
        label={webhooks.url}
        placeholder="https://example.com/webhook"
        value={draft.url}
        isRequired
        maxLength={MAX_WEBHOOK_URL}
        change={(url) => change({ ...draft, url })}
      />
      <TextField
        label={tokens.name}
        placeholder={webhooks.nameExample}
        value={draft.name}
        maxLength={MAX_NAME_LENGTH}
        change={(name) => change({ ...draft, name })}
      />
      <RoleField value={draft.role} change={(role) => change({ ...draft, role })} />
      {draft.role === 'affiliate' && (
        <TextField
          label={tokens.publishers}
          placeholder={tokens.publishersExample}
          value={draft.publishers}
          isRequired
          change={(publishers) => change({ ...draft, publishers })}
        />
      )}
      <TextField
        label={tokens.programs}
        placeholder={own === 'all' ? tokens.programsExample : tokens.ownPrograms(own.join(', '))}
        value={draft.programs}
        isRequired={own !== 'all'}
        change={(programs) => change({ ...draft, programs })}
      />
      <KindsField draft={draft} change={change} />
    </>
  );
}

function KindsField({ draft, change }: WebhookFieldsProps) {
  const { texts } = useLocalization();
  return (
    <fieldset className="webhook-kinds">
      <legend>{texts.webhooks.types}</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={draft.types.includes(kind)}
            onChange={() => change({ ...draft, types: toggled(draft.types, kind) })}
          />
          {texts.kinds[kind]}
        </label>
      ))}
    </fieldset>
  );
}
