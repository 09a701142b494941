/** Error notice for requests about webhooks: what is wrong with the URL, or with the start of a replay. */

import { ApiProblem } from '../../../../client/src/index.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

export function WebhookError({ error }: { readonly error: unknown }) {
  const { texts } = useLocalization();
  const { wrong } = texts.webhooks;
  const faults = error instanceof ApiProblem ? error.errors.map(({ parameter }) => parameter) : [];
  const part = (['url', 'since'] as const).find((one) => faults.includes(one));
  if (part === undefined) return <ErrorNotice error={error} />;
  return <Notice message={{ ...wrong[part], isTemporary: false }} />;
}
