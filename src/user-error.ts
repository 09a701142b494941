/** An error that the operator can mend: what is wrong, and what to type next. */
export class OperatorError extends Error {
  readonly next: string;

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
    this.next = next;
  }
}
