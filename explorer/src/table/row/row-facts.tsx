/** All fields of one transaction, each with a button that copies its value. */

import { RECORD_FIELDS } from '../../../../src/contract/record/records.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import { fieldLabel } from '../../query/filters.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Value } from '../grid/value.tsx';

interface RowFactsProps {
  readonly row: ResultRow;
  /** False while only the fields of the list are known. */
  readonly isComplete: boolean;
  /** Whether the other fields cannot be read. They are then left out. */
  readonly hasFailed: boolean;
}

export function RowFacts({ row, isComplete, hasFailed }: RowFactsProps) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const columns = RECORD_FIELDS[service.role].filter(
    ({ name }) => !hasFailed || Object.hasOwn(row, name),
  );
  return (
    <dl className="facts" aria-busy={!isComplete && !hasFailed}>
      {columns.map((column) => {
        const value = row[column.name] ?? null;
        const name = fieldLabel(column.name, texts);
        return (
          <div key={column.name}>
            <dt>{name}</dt>
            <dd>
              {isComplete || Object.hasOwn(row, column.name) ? (
                <Value column={column} row={row} />
              ) : (
                <span className="shade" />
              )}
              {value !== null && (
                <CopyButton text={String(value)} label={texts.list.copyOf(name)} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
