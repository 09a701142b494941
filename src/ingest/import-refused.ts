/** An import that cannot begin or was refused as a whole; its message is for the operator. */
export class ImportRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImportRefused';
  }
}
