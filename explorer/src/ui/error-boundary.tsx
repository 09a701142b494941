/** Where a mistake of the page ends: it says so, and leaves a way out. */

import { Component, type ReactNode } from 'react';
import { SignInPausedPage } from '../access/sign-in-page.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  leave(): void;
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
    const leave = () => {
      this.props.leave();
      this.setState({ failure: undefined });
    };
    return (
      <SignInPausedPage
        reason={new Error('The page failed.', { cause: failure.error })}
        again={async () => location.reload()}
        leave={leave}
      />
    );
  }
}
