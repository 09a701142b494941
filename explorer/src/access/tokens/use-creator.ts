/** React hook for words that name the creator of a token or webhook, such as "by Nightly export". */

import { useLocalization } from '../../layout/localization-context.tsx';
import { useTokens } from './use-tokens.ts';

/** Undefined if a command of the operator was the creator. A revoked or unnamed token is shown by its id. */
export function useCreator(id: string | null): string | undefined {
  const { tokens } = useLocalization().texts;
  const { data } = useTokens({ enabled: id !== null, staleTime: Number.POSITIVE_INFINITY });
  if (id === null) return undefined;
  const found = data?.find((token) => token.id === id);
  return found?.is_current ? tokens.createdByYou : tokens.createdBy(found?.name ?? id);
}
