/** A new access token or sign-in link, which is shown once. */

import { useEffect, useRef } from 'react';
import type { NewManagedToken, NewSignInLink } from '../../../../client/src/index.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

export type Created = NewManagedToken | NewSignInLink;

interface CreatedAccessProps {
  readonly created: Created;
  again(): void;
}

export function CreatedAccess({ created, again }: CreatedAccessProps) {
  const { texts } = useLocalization();
  const { tokens } = texts;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isLink = 'url' in created;
  // The URL is relative if the service does not know its own address.
  const text = isLink ? new URL(created.url, location.href).href : created.token;
  const name = created.name ?? tokens.unnamed;
  return (
    <section className="token-form" aria-labelledby="tokens-created">
      <h3 id="tokens-created" ref={heading} tabIndex={-1}>
        {isLink ? tokens.linkCreated(name) : tokens.created(name)}
      </h3>
      <code className="new-token">{text}</code>
      <p className="soft small">{isLink ? tokens.linkOnce : tokens.once}</p>
      <div className="token-actions">
        <CopyButton text={text} label={isLink ? tokens.copyLink : tokens.copyToken}>
          {isLink ? tokens.copyLink : tokens.copyToken}
        </CopyButton>
        <button type="button" className="quiet" onClick={again}>
          {tokens.another}
        </button>
      </div>
    </section>
  );
}
