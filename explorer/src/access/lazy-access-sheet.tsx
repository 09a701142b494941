/** The sheet "Access", which is loaded when it is opened, because few people manage access. */

import { type ComponentProps, Suspense } from 'react';
import { lazySheet } from '../layout/lazy-sheet.ts';

const AccessSheet = lazySheet(async () => (await import('./access-sheet.tsx')).AccessSheet);

export function LazyAccessSheet(props: ComponentProps<typeof AccessSheet>) {
  return (
    <Suspense>
      <AccessSheet {...props} />
    </Suspense>
  );
}
