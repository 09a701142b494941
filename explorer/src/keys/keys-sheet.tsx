/** Sheet with all keyboard shortcuts, from the table that the handlers use. */

import { useLocalization } from '../layout/localization-context.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { actionsOf, KEYS, type KeyScope, keysOf } from './keys.ts';

const SCOPES = Object.keys(KEYS) as readonly KeyScope[];

export function KeysSheet({ close }: { close(): void }) {
  const { texts } = useLocalization();
  return (
    <Sheet title={texts.keys.title} isText close={close}>
      {SCOPES.map((scope) => (
        <ScopeKeys key={scope} scope={scope} />
      ))}
    </Sheet>
  );
}

function ScopeKeys({ scope }: { readonly scope: KeyScope }) {
  const { texts } = useLocalization();
  const { title, actions } = texts.keys.scopes[scope];
  const labels: Readonly<Record<string, string>> = actions;
  return (
    <section className="keys">
      <h3>{title}</h3>
      <ul>
        {actionsOf(scope).map((action) => (
          <li key={action}>
            <span>{labels[action]}</span>
            <span>
              {keysOf(scope, action).map((key) => (
                <kbd key={key}>{keyLabel(key, texts.keys.names)}</kbd>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const keyLabel = (key: string, names: Readonly<Record<string, string>>): string =>
  names[key] ?? key;
