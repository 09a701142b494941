/** An import that was refused as a whole; the message is shown to the user. */
export class ImportRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImportRefused';
  }
}
