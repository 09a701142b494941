/** Notice that offers to stay signed in after a sign-in by a link, because the link cannot be used again. */

import { useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { focusList } from '../service/retry-requests.ts';
import { keepViewsWithToken } from '../views/use-saved-views.ts';
import { useExplorer } from './explorer-context.tsx';
import { keepToken, storedToken } from './token-storage.ts';

export function LinkNotice() {
  const { texts } = useLocalization();
  const { signIn } = texts;
  const { me } = useExplorer().service;
  const [isShown, setShown] = useState(storedToken()?.isKept === false);
  if (!isShown) return null;
  // The focused button disappears with the notice.
  const hide = () => {
    focusList();
    setShown(false);
  };
  const keep = () => {
    keepToken(true);
    keepViewsWithToken(me);
    hide();
  };
  return (
    <section className="link-notice" aria-label={signIn.byLink}>
      <p>{signIn.linkUsed}</p>
      <button type="button" onClick={keep}>
        {signIn.keep}
      </button>
      <button type="button" className="quiet" onClick={hide}>
        {signIn.notKept}
      </button>
    </section>
  );
}
