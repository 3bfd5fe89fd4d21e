/** The words of a text, to write a long list of words shortly. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
