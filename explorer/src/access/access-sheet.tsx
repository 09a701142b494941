/** Sheet in which administrators manage access: tokens and webhooks. */

import { useId, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { TokensPanel } from './tokens/tokens-panel.tsx';
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx';
import '../style/tokens.css';
import '../style/webhooks.css';

const TABS = ['tokens', 'webhooks'] as const;

export type AccessTab = (typeof TABS)[number];

interface AccessSheetProps {
  readonly first?: AccessTab;
  close(): void;
}

export function AccessSheet({ first = 'tokens', close }: AccessSheetProps) {
  const { texts } = useLocalization();
  const [tab, setTab] = useState<AccessTab>(first);
  const name = useId();
  return (
    <Sheet title={texts[tab].title} close={close}>
      <fieldset className="segments">
        <legend className="hidden">{texts.access.tab}</legend>
        {TABS.map((one) => (
          <label key={one}>
            <input type="radio" name={name} checked={tab === one} onChange={() => setTab(one)} />
            <span>{texts.access.tabs[one]}</span>
          </label>
        ))}
      </fieldset>
      {tab === 'tokens' ? <TokensPanel /> : <WebhooksPanel />}
    </Sheet>
  );
}
