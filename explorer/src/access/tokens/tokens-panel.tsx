/** Panel in which administrators list, create and revoke access tokens. */

import { useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenItem } from './token-item.tsx';
import { useTokens } from './use-tokens.ts';

export function TokensPanel() {
  const { texts } = useLocalization();
  const { data, error, refetch } = useTokens();
  const heading = useRef<HTMLHeadingElement>(null);
  const reload = async () => void (await refetch());
  // The token disappears with the focused button.
  const leaveRevoked = async () => {
    heading.current?.focus();
    await reload();
  };
  return (
    <>
      <TokenForm onCreated={reload} />
      <section className="tokens" aria-labelledby="tokens-list">
        <h3 id="tokens-list" ref={heading} tabIndex={-1}>
          {texts.tokens.existing}
        </h3>
        {error !== null && <ErrorNotice error={error} retry={() => void reload()} />}
        {data === undefined && error === null && <p className="soft">{texts.loading}</p>}
        <ul>
          {data?.map((token) => (
            <TokenItem key={token.id} token={token} onRevoked={leaveRevoked} />
          ))}
        </ul>
      </section>
    </>
  );
}
