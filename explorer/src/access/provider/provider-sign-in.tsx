/** Button that signs in through the OpenID provider, if the service has one. */

import { useCallback, useEffect, useState } from 'react';
import type { ProviderSignIn } from '../../../../src/contract/tokens/sign-in-options.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useRetryWhenOnline } from '../../service/retry-requests.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ProviderFailure } from './provider-failure.ts';
import { fetchProviderSignIn } from './sign-in-options.ts';

/** `error` ended or prevented the last sign-in. It is shown here if it is a failure of the provider. */
export function ProviderSignInButton({ error }: { readonly error: unknown }) {
  const { texts } = useLocalization();
  const { provider, failure, setFailure, find } = useProvider();
  const [isBusy, setBusy] = useState(false);
  const shown = failure ?? (error instanceof ProviderFailure ? error : undefined);
  if (provider === undefined && shown === undefined) return null;
  const begin = async (to: ProviderSignIn) => {
    setBusy(true);
    try {
      const { beginSignIn } = await import('./provider-client.ts');
      await beginSignIn(to);
    } catch (cause) {
      // For example because the page was opened before an upgrade, whose files have other names.
      setFailure(new ProviderFailure('unavailable', { cause }));
      setBusy(false);
    }
  };
  return (
    <section className="stack provider" aria-label={texts.provider.submit}>
      {shown !== undefined && <ErrorNotice error={shown} retry={() => void find()} />}
      {provider !== undefined && (
        <>
          <button
            type="button"
            className="primary"
            disabled={isBusy}
            onClick={() => void begin(provider)}
          >
            {isBusy ? texts.provider.busy : texts.provider.submit}
          </button>
          <p className="soft small">{texts.provider.at(new URL(provider.issuer).host)}</p>
          <p className="soft or">{texts.provider.or}</p>
        </>
      )}
    </section>
  );
}

function useProvider() {
  const [provider, setProvider] = useState<ProviderSignIn>();
  const [failure, setFailure] = useState<unknown>();
  const [isUnknown, setUnknown] = useState(false);
  const find = useCallback(async () => {
    setFailure(undefined);
    try {
      setProvider(await fetchProviderSignIn());
      setUnknown(false);
    } catch (error) {
      setUnknown(true);
      // If the service cannot be reached, no error is shown here: the service may have no provider.
      if (error instanceof ProviderFailure && error.kind === 'unavailable') setFailure(error);
    }
  }, []);
  useEffect(() => void find(), [find]);
  useRetryWhenOnline(isUnknown, find);
  return { provider, failure, setFailure, find };
}
