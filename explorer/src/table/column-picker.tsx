/** Column picker: a sheet to choose the columns of the list, their order and their widths. */

import { useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ColumnList } from './column-list.tsx';
import type { Columns } from './columns.ts';

export function ColumnPicker({ columns }: { readonly columns: Columns }) {
  const { texts } = useLocalization();
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useNarrow();
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {texts.list.columns}
      </button>
      {isOpen && (
        <Sheet title={texts.list.columns} close={() => setOpen(false)}>
          <p className="soft">
            {isNarrow ? texts.list.columnsIntro : texts.list.columnsAndWidthsIntro}
          </p>
          <ColumnList columns={columns} />
        </Sheet>
      )}
    </>
  );
}
