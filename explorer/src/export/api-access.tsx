/** The current query as a URL, a curl command and client code, each with a copy button. */

import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { searchOf } from '../query/view.ts';
import { serviceUrl } from '../service/service.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { clientCodeOf, curlOf } from './snippets.ts';

export function ApiAccess() {
  const { texts, language } = useLocalization();
  const { service, view, query } = useAccess();
  const parameters = { ...query, order: view.order };
  const base = serviceUrl();
  const snippets = [
    [texts.take.url, base + searchOf(view)],
    [texts.take.curl, curlOf(base, service.role, parameters)],
    [texts.take.client, clientCodeOf(base, service.role, parameters)],
  ] as const;
  return (
    <section className="elsewhere">
      <h3>{texts.take.copyTitle}</h3>
      <p className="soft small">{texts.take.copyIntro}</p>
      <p className="small">
        <a href={`docs?language=${language}`}>{texts.take.documentation}</a>
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
