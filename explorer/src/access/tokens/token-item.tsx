/** An access token in the list: its rights, its expiry, and its revocation. */

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ManagedToken } from '../../../../client/src/index.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { useCreator } from './use-creator.ts';

interface TokenItemProps {
  readonly token: ManagedToken;
  onRevoked(): Promise<void>;
}

export function TokenItem({ token, onRevoked }: TokenItemProps) {
  const { texts } = useLocalization();
  const { tokens } = texts;
  const name = token.name ?? tokens.unnamed;
  return (
    <li className="token">
      <div className="token-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="badge">{texts.account[token.role]}</span>
        {token.may_manage_tokens && <span className="badge">{tokens.manages}</span>}
        {token.link_expires_at !== null && <span className="badge">{tokens.unusedLink}</span>}
        {token.is_current && <span className="badge">{tokens.you}</span>}
        <ExpiryWarning token={token} />
      </div>
      <TokenFacts token={token} />
      {token.may_manage_tokens ? (
        !token.is_current && <p className="soft small">{tokens.byOperator}</p>
      ) : (
        <Revocation id={token.id} name={name} onRevoked={onRevoked} />
      )}
    </li>
  );
}

const DAY = 86_400_000;

/** A token that expires within this many days is marked. */
const SOON = 14;

function ExpiryWarning({ token: { expires_at: end } }: { readonly token: ManagedToken }) {
  const { texts } = useLocalization();
  if (end === null) return null;
  const left = Date.parse(end) - Date.now();
  if (left > SOON * DAY) return null;
  return (
    <span className={left > 0 ? 'badge soon' : 'badge expired'}>
      {left > 0 ? texts.tokens.soon : texts.tokens.expired}
    </span>
  );
}

function TokenFacts({ token }: { readonly token: ManagedToken }) {
  const { texts, formats } = useLocalization();
  const { tokens } = texts;
  const { time_zone: zone } = useExplorer().service.me;
  const { publisher_ids: publishers, program_ids: programs, expires_at: end } = token;
  const rights = [
    publishers === 'all' ? undefined : tokens.ofPublishers(publishers.join(', ')),
    programs === 'all' ? undefined : tokens.ofPrograms(programs.join(', ')),
  ].filter((right) => right !== undefined);
  const dayOf = (instant: string) => formats.clock(Date.parse(instant), zone)[0];
  const creator = useCreator(token.created_by);
  const created = tokens.createdOn(dayOf(token.created_at));
  const times = [
    creator === undefined ? created : `${created} ${creator}`,
    end === null ? tokens.endless : tokens.validUntil(dayOf(end)),
  ];
  return (
    <>
      <p>{rights.length === 0 ? tokens.everything : rights.join(' · ')}</p>
      <p className="soft small">{times.join(' · ')}</p>
    </>
  );
}

interface RevocationProps {
  readonly id: string;
  readonly name: string;
  onRevoked(): Promise<void>;
}

function Revocation({ id, name, onRevoked }: RevocationProps) {
  const { texts } = useLocalization();
  const { tokens } = texts;
  const { service } = useExplorer();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const opener = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // The question replaces the focused button. "Cancel" gets the focus, because it is the safe answer.
  useEffect(() => {
    if (isAsking) cancel.current?.focus();
  }, [isAsking]);
  const stopAsking = () => {
    flushSync(() => setAsking(false));
    opener.current?.focus();
  };
  const revoke = async () => {
    setError(undefined);
    try {
      await service.tokens.revoke(id);
      await onRevoked();
    } catch (failure) {
      setError(failure);
    }
  };
  if (!isAsking) {
    return (
      <button
        ref={opener}
        type="button"
        className="small revoke"
        aria-label={tokens.revokeNamed(name)}
        onClick={() => setAsking(true)}
      >
        {tokens.revoke}
      </button>
    );
  }
  return (
    <div className="token-sure" role="alert">
      <p>{tokens.sure(name)}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="token-actions">
        <button type="button" className="danger" onClick={() => void revoke()}>
          {tokens.revoke}
        </button>
        <button ref={cancel} type="button" onClick={stopAsking}>
          {tokens.cancel}
        </button>
      </div>
    </div>
  );
}
