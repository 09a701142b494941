/** An error that the user can correct: what is wrong, and what to type next. */
export class UserError extends Error {
  readonly next: string;

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
    this.next = next;
  }
}
