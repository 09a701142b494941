/** Sheet in place of one whose code could not be loaded, for example without a network or after a new release. */

import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useLocalization } from './localization-context.tsx';

export function FailedSheet({ close }: { close(): void }) {
  const { title, ...words } = useLocalization().texts.notLoaded;
  return (
    <Sheet title={title} close={close}>
      <Notice
        message={{ ...words, isTemporary: true }}
        // Browsers cache a failed `import()` until a reload. A reload keeps the query, which is in the address.
        retry={() => location.reload()}
      />
    </Sheet>
  );
}
