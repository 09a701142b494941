/** First steps for an affiliate without transactions. */

import { useLocalization } from '../../layout/localization-context.tsx';

export function FirstSteps() {
  const { title, steps } = useLocalization().texts.performance.firstSteps;
  return (
    <section className="first-steps card" aria-label={title}>
      <h2>{title}</h2>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
