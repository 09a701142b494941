/** Form that creates an access token or a sign-in link, and shows it once. */

import { type FormEvent, useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../src/contract/tokens/name-length.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { useSubmission } from '../use-submission.ts';
import { type Created, CreatedAccess } from './created-access.tsx';
import { EMPTY_TOKEN_DRAFT, parametersOf, type TokenDraft } from './new-token.ts';
import { LifetimeField, RoleField, TextField } from './token-fields.tsx';

interface TokenFormProps {
  onCreated(): Promise<void>;
}

export function TokenForm({ onCreated }: TokenFormProps) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const [draft, setDraft] = useState<TokenDraft>(EMPTY_TOKEN_DRAFT);
  const {
    result: created,
    error,
    isBusy,
    submit,
    form,
    again,
  } = useSubmission(async (event): Promise<Created> => {
    const parameters = parametersOf(draft);
    return isForLink(event)
      ? await service.tokens.createLink(parameters)
      : await service.tokens.create(parameters);
  }, onCreated);
  const change = (part: Partial<TokenDraft>) => setDraft({ ...draft, ...part });
  if (created !== undefined) {
    return (
      <CreatedAccess created={created} again={() => again(() => setDraft(EMPTY_TOKEN_DRAFT))} />
    );
  }
  const { tokens } = texts;
  const { program_ids: own } = service.me;
  return (
    <form ref={form} className="token-form" onSubmit={submit} aria-labelledby="tokens-create">
      <h3 id="tokens-create">{tokens.create}</h3>
      <TextField
        label={tokens.name}
        placeholder={tokens.nameExample}
        value={draft.name}
        maxLength={MAX_NAME_LENGTH}
        change={(name) => change({ name })}
      />
      <RoleField value={draft.role} change={(role) => change({ role })} />
      {draft.role === 'affiliate' && (
        <TextField
          label={tokens.publishers}
          placeholder={tokens.publishersExample}
          value={draft.publishers}
          isRequired
          change={(publishers) => change({ publishers })}
        />
      )}
      <TextField
        label={tokens.programs}
        placeholder={own === 'all' ? tokens.programsExample : tokens.ownPrograms(own.join(', '))}
        value={draft.programs}
        isRequired={own !== 'all'}
        change={(programs) => change({ programs })}
      />
      <LifetimeField value={draft.expires} change={(expires) => change({ expires })} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="token-actions">
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {isBusy ? tokens.busy : tokens.submit}
        </button>
        <button type="submit" value={LINK} aria-disabled={isBusy}>
          {tokens.submitLink}
        </button>
      </div>
    </form>
  );
}

/** The value of the button that creates a link. */
const LINK = 'link';

/** Enter in a field presses the first button, which creates a token. */
const isForLink = ({ nativeEvent }: FormEvent): boolean =>
  nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.getAttribute('value') === LINK;
