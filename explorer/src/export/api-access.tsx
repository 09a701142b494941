/** The same question as an address, as a command and as code, each copied with one click. */

import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { searchOf } from '../query/view.ts';
import { serviceUrl } from '../service/service.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { clientOf, curlOf } from './snippets.ts';

export function ApiAccess() {
  const { texts } = useReader();
  const { service, view, question } = useAccess();
  const asked = { ...question, order: view.order };
  const base = serviceUrl();
  const snippets = [
    [texts.take.url, base + searchOf(view)],
    [texts.take.curl, curlOf(base, service.role, asked)],
    [texts.take.client, clientOf(base, service.role, asked)],
  ] as const;
  return (
    <section className="elsewhere">
      <h3>{texts.take.copyTitle}</h3>
      <p className="soft small">{texts.take.copyIntro}</p>
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
