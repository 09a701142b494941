/** The secret of a webhook, which is shown once. */

import { type ReactNode, useEffect, useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

interface ShownSecretProps {
  readonly title: string;
  readonly secret: string;
  /** Shown after the button that copies the secret. */
  readonly children: ReactNode;
}

export function ShownSecret({ title, secret, children }: ShownSecretProps) {
  const { webhooks } = useLocalization().texts;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="webhook-secret" aria-label={title}>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <code className="new-token">{secret}</code>
      <p className="soft small">{webhooks.once}</p>
      <div className="token-actions">
        <CopyButton text={secret} label={webhooks.copySecret}>
          {webhooks.copySecret}
        </CopyButton>
        {children}
      </div>
    </section>
  );
}
