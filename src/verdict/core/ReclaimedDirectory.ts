/**
 * The directory in which everything of a repository lies reclaimed.
 */
export const of = (commonDirectory: string): string => `${commonDirectory}/reclaimed`
