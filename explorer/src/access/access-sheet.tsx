/** Sheet in which administrators manage access: tokens and webhooks. */

import { useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
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
  return (
    <Sheet title={texts[tab].title} close={close}>
      <SegmentedControl
        legend={texts.access.tab}
        options={TABS}
        chosen={tab}
        labelOf={(one) => texts.access.tabs[one]}
        choose={(one) => setTab(one)}
      />
      {tab === 'tokens' ? <TokensPanel /> : <WebhooksPanel />}
    </Sheet>
  );
}
