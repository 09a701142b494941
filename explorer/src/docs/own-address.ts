/** Fills the address of this service into the commands. */

export function fillOwnAddress(): void {
  for (const code of document.querySelectorAll('pre code')) {
    code.textContent = code.textContent.replaceAll('$SERVICE', location.origin);
  }
}
