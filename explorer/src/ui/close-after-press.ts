/** Closes a dialog in a later task, so that an input that has lost the focus applies its text first. */

/** The input applies its text in a task that was queued before the click event (see use-after-press.ts). */
export const closeAfterPress = (close: () => void): void => {
  setTimeout(close);
};
