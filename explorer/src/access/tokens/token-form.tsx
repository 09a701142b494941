/** Form that creates an access token, and shows it once. */

import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { NewManagedToken } from '../../../../client/src/index.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useAccess } from '../access-context.tsx';
import { EMPTY_DRAFT, parametersOf, type TokenDraft } from './new-token.ts';
import { LifetimeField, RoleField, TextField } from './token-fields.tsx';

interface TokenFormProps {
  onCreated(): Promise<void>;
}

export function TokenForm({ onCreated }: TokenFormProps) {
  const { texts } = useLocalization();
  const { service } = useAccess();
  const [draft, setDraft] = useState<TokenDraft>(EMPTY_DRAFT);
  const [created, setCreated] = useState<NewManagedToken>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<TokenDraft>) => setDraft({ ...draft, ...part });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      setCreated(await service.tokens.create(parametersOf(draft)));
      await onCreated();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const again = () => {
    setDraft(EMPTY_DRAFT);
    setCreated(undefined);
  };
  if (created !== undefined) return <CreatedToken created={created} again={again} />;
  const { tokens } = texts;
  const { program_ids: own } = service.me;
  return (
    <form className="token-form" onSubmit={submit} aria-labelledby="tokens-create">
      <h3 id="tokens-create">{tokens.create}</h3>
      <TextField
        label={tokens.name}
        placeholder={tokens.nameExample}
        value={draft.name}
        maxLength={200}
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
      <button type="submit" className="primary" disabled={isBusy}>
        {isBusy ? tokens.busy : tokens.submit}
      </button>
    </form>
  );
}

interface CreatedTokenProps {
  readonly created: NewManagedToken;
  again(): void;
}

function CreatedToken({ created, again }: CreatedTokenProps) {
  const { texts } = useLocalization();
  const { tokens } = texts;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="token-form" aria-labelledby="tokens-created">
      <h3 id="tokens-created" ref={heading} tabIndex={-1}>
        {tokens.created(created.name ?? tokens.unnamed)}
      </h3>
      <code className="new-token">{created.token}</code>
      <p className="soft small">{tokens.once}</p>
      <div className="token-actions">
        <CopyButton text={created.token} label={tokens.copyToken}>
          {tokens.copyToken}
        </CopyButton>
        <button type="button" className="quiet" onClick={again}>
          {tokens.another}
        </button>
      </div>
    </section>
  );
}
