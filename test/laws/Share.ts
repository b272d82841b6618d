/**
 * How many of the usual cases a law gets: fewer where it is checked on each of thousands of mutants.
 */
export const share = (usual: number): number => Math.ceil(usual * Number(process.env["LAW_SHARE"] ?? 1))
