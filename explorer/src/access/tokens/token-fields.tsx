/** Fields of the form for a new access token. */

import { useId } from 'react';
import { ROLES, type Role } from '../../../../src/contract/record/records.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useExplorer } from '../explorer-context.tsx';
import { type Lifetime, lifetimesWithin } from './new-token.ts';

interface TextFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  change(text: string): void;
}

export function TextField({ label, isRequired = false, change, ...others }: TextFieldProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        required={isRequired}
        onChange={(event) => change(event.target.value)}
        {...others}
      />
    </>
  );
}

interface ChoiceProps<Value> {
  readonly value: Value;
  change(value: Value): void;
}

export function RoleField({ value, change }: ChoiceProps<Role>) {
  const { texts } = useLocalization();
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{texts.tokens.role}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => change(ROLES.find((role) => role === event.target.value) ?? value)}
      >
        {ROLES.toReversed().map((role) => (
          <option key={role} value={role}>
            {texts.account[role]}
          </option>
        ))}
      </select>
    </>
  );
}

/** The default lifetime of the service. If the user's own token ends earlier, the new token ends with it. */
const DEFAULT = '90d';

export function LifetimeField({ value, change }: ChoiceProps<Lifetime | undefined>) {
  const { texts } = useLocalization();
  const { service } = useExplorer();
  const id = useId();
  const lifetimes = lifetimesWithin(service.me, Date.now());
  const isDefaultOwn = !lifetimes.includes(DEFAULT);
  return (
    <>
      <label htmlFor={id}>{texts.tokens.expires}</label>
      <select
        id={id}
        value={value ?? (isDefaultOwn ? '' : DEFAULT)}
        onChange={(event) => change(lifetimes.find((lifetime) => lifetime === event.target.value))}
      >
        {lifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {texts.tokens.lifetimes[lifetime]}
          </option>
        ))}
        {isDefaultOwn && <option value="">{texts.tokens.asLongAsYours}</option>}
      </select>
    </>
  );
}
