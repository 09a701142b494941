/** A card with a list of amounts, each of which may be a button. */

import type { ReactNode } from 'react';
import type { ResultRow } from '../../query/api-query.ts';

export interface MoneyRows {
  /** Undefined while loading. */
  readonly rows: readonly ResultRow[] | undefined;
  readonly isStale: boolean;
}

interface MoneyCardProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly isBusy: boolean;
  readonly isStale: boolean;
  readonly children: ReactNode;
}

export const MoneyCard = ({ title, note, isBusy, isStale, children }: MoneyCardProps) => (
  <section
    className={isStale ? 'money-card card old' : 'money-card card'}
    aria-label={title}
    aria-busy={isBusy || isStale}
  >
    <h2>
      {title} {note !== undefined && <span className="soft small">{note}</span>}
    </h2>
    {isBusy ? <Placeholder /> : children}
  </section>
);

const SHADES = ['a', 'b', 'c', 'd'];

const Placeholder = () => (
  <div className="money-shades">
    {SHADES.map((shade) => (
      <span key={shade} className="shade" />
    ))}
  </div>
);

interface MoneyItemProps {
  readonly label: ReactNode;
  readonly hint?: string | undefined;
  readonly note?: string | undefined;
  readonly value: ReactNode;
  /** Makes the item a button. */
  readonly select?: (() => void) | undefined;
}

export function MoneyItem({ label, hint, note, value, select }: MoneyItemProps) {
  const content = (
    <>
      <span className="money-label">{label}</span>
      <span className="soft small">{note}</span>
      <span className="money-value">{value}</span>
    </>
  );
  return (
    <li>
      {select === undefined ? (
        <div className="money-item">{content}</div>
      ) : (
        <button type="button" className="money-item quiet" title={hint} onClick={select}>
          {content}
        </button>
      )}
    </li>
  );
}
