/** The current query as a URL, a curl command and client code, each with a copy button. */

import { MAX_PAGE_SIZE } from '../../../src/contract/query/parameters.ts';
import { sortText } from '../../../src/contract/query/sorting/sort.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ApiQuery } from '../query/api-query.ts';
import { locationSearchOf } from '../query/view.ts';
import { serviceUrl } from '../service/service.ts';
import { sortOfView } from '../table/list-sort.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { clientCodeOf, curlOf } from './snippets.ts';

export function ApiAccess() {
  const { texts, formats, language } = useLocalization();
  const { service, view, query } = useExplorer();
  const sorted = sortOfView(service.role, view);
  const sort: ApiQuery = sorted === undefined ? {} : { sort: sortText(sorted) };
  const parameters = { ...query, ...sort, order: view.order };
  // The API returns a sorted list only in pages. The command requests the first one, and the client all of them.
  const page: ApiQuery = sorted === undefined ? {} : { limit: String(MAX_PAGE_SIZE) };
  const base = serviceUrl();
  const snippets = [
    [texts.download.url, base + locationSearchOf(view)],
    [texts.download.curl, curlOf(base, service.role, { ...parameters, ...page })],
    [texts.download.client, clientCodeOf(base, service.role, parameters)],
  ] as const;
  return (
    <section className="elsewhere">
      <h3>{texts.download.copyTitle}</h3>
      <p className="soft small">{texts.download.copyIntro}</p>
      {sorted !== undefined && (
        <p className="soft small">{texts.download.firstPage(formats.count(MAX_PAGE_SIZE))}</p>
      )}
      <p className="small">
        <a href={`docs?language=${language}`}>{texts.download.documentation}</a>
      </p>
      {snippets.map(([name, text]) => (
        <div key={name} className="snippet">
          <div className="snippet-head">
            <h4>{name}</h4>
            <CopyButton text={text} label={`${texts.copy}: ${name}`} />
          </div>
          <pre>{text}</pre>
        </div>
      ))}
    </section>
  );
}
