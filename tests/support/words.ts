/** The words of a text, which stands for a long list of them. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
