/** Question whether a sign-in link that was opened replaces the present sign-in. */

import { useState } from 'react';
import type { Me } from '../../../client/src/index.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { endsAccess } from '../service/error-messages.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { OpenLink } from './use-page-start.ts';

interface LinkQuestionProps {
  readonly me: Me;
  readonly link: OpenLink;
}

export function LinkQuestion({ me, link }: LinkQuestionProps) {
  const { texts } = useLocalization();
  const { link: words } = texts.signIn;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const use = async () => {
    setBusy(true);
    setError(undefined);
    await link.use().catch(setError);
    setBusy(false);
  };
  return (
    // Once the link is being used, declining could not undo it.
    <Sheet title={words.title} close={link.decline} isBusy={isBusy}>
      <p>{words.question(me.name ?? texts.account[me.role])}</p>
      <p className="soft">{words.consequence}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      <button type="button" className="primary" disabled={isBusy} onClick={link.decline}>
        {words.stay}
      </button>
      {!endsAccess(error) && (
        <button type="button" disabled={isBusy} onClick={() => void use()}>
          {isBusy ? texts.signIn.busy : words.use}
        </button>
      )}
    </Sheet>
  );
}
