/** The sheet "Access", which is loaded when it is opened, because few people manage access. */

import { type ComponentProps, lazy, Suspense } from 'react';

const AccessSheet = lazy(async () => ({
  default: (await import('./access-sheet.tsx')).AccessSheet,
}));

export function LazyAccessSheet(props: ComponentProps<typeof AccessSheet>) {
  return (
    <Suspense>
      <AccessSheet {...props} />
    </Suspense>
  );
}
