/** React error boundary that shows the error with buttons to reload and to sign out. */

import { Component, type ReactNode } from 'react';
import { SignInPausedPage } from '../access/sign-in-page.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  signOut(): void;
}

interface BoundaryState {
  readonly failure: { readonly error: unknown } | undefined;
}

export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    const signOut = () => {
      this.props.signOut();
      this.setState({ failure: undefined });
    };
    return (
      <SignInPausedPage
        error={new Error('The page failed.', { cause: failure.error })}
        retry={async () => location.reload()}
        signOut={signOut}
      />
    );
  }
}
